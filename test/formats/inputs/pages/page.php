<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8" />
<meta name="generator" content="pandoc" />
<title>Guest book</title>
</head>
<body>
<h1 id="guest-book">Guest book</h1>
<p>Welcome <?php echo $name; ?> to the hive.</p>
<?php foreach ($bees as $bee) { ?>
<p>
A bee
</p>
<?php } ?>
</body>
</html>
