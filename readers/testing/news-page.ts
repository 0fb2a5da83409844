// A page as newspapers make them, for the tests: an article among everything else that sells it.

/** The paragraphs of the article in the page below, headings among them. */
export const newsArticle: readonly string[] = [
  'The harbour town of Ellmouth will rebuild its lighthouse by the spring, the council decided on Tuesday, after a storm in October tore the lamp room from its base and left ships without a light for three weeks.',
  'Engineers had warned for years that the iron was failing, and a survey in 2016 put the cost of repair at half of what the new room will take. “We should have listened,” said the mayor, Ada Penrose.',
  'What the storm left',
  'Of the tower itself only the upper nine feet were lost. The lens, made in 1871, was found in the dunes with two of its panels broken; a workshop in the county town has offered to grind new ones.',
  'We all grew up under that light, and nobody slept well without it.',
  'Work is to begin in January, weather permitting, and the harbour master expects that a temporary lamp, lent by a neighbouring port, can stay until then.',
];

const [first, second, heading, third, quote, last] = newsArticle;

/** The page. */
export const newsPage = `<!DOCTYPE html>
<html lang="en"><head><title>Ellmouth to rebuild its lighthouse by spring | The Coast Gazette</title>
<meta property="og:type" content="article"><style>p{color:red}</style></head>
<body class="single post">
<div id="cookie-notice" class="cookie-banner"><p>We use cookies to improve your visit, to count readers and to show
advertisements. By going on you accept our policy.</p><button>Accept all</button></div>
<header class="site-header"><a class="logo" href="/">The Coast Gazette</a>
<nav class="main-nav"><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li>
<li><a href="/weather">Weather</a></li><li><a href="/jobs">Jobs</a></li></ul></nav></header>
<div class="content"><main>
<article class="post-article">
<h1 class="headline">Ellmouth to rebuild its lighthouse by spring</h1>
<div class="byline">By <a href="/by/jo">Jo Carrick</a> <time>19 November 2019</time></div>
<div class="share-bar"><a href="#">Share on Facebook</a> <a href="#">Tweet</a> <a href="#">Email</a></div>
<div class="article-body">
<figure><img src="l.jpg" alt=""><figcaption>The tower after the storm. Photo: Coast Gazette</figcaption></figure>
<p>${first}</p>
<p>${second}</p>
<div class="ad-slot"><span>Advertisement</span></div>
<h2>${heading}</h2>
<p>${third}</p>
<aside class="related"><h3>Related stories</h3><ul><li><a href="/1">Ten storms that changed the coast</a></li>
<li><a href="/2">How a lens is ground</a></li></ul></aside>
<blockquote><p>${quote}</p></blockquote>
<p>${last}</p>
</div>
<div class="newsletter-signup"><p>Sign up for our newsletter and get the news in your inbox.</p></div>
</article></main>
<section id="comments" class="comments"><h3>2 comments</h3>
<div class="comment"><p class="comment-author">gull77</p><p>About time too, they have talked of it for ten years.</p></div>
<div class="comment"><p class="comment-author">mara</p><p>And who pays? We do, as always, I suppose.</p></div></section>
<div class="sidebar"><h4>Most read</h4><ol><li><a href="/3">Ferry timetable for the winter</a></li>
<li><a href="/4">Fish market to move</a></li><li><a href="/5">Council votes on parking</a></li></ol></div></div>
<footer class="site-footer"><p>© 2019 The Coast Gazette. All rights reserved. <a href="/privacy">Privacy</a></p></footer>
<script>var p = '<p>never text</p>';</script></body></html>`;
