/** Hand-written sources from which the programs of Debian make exhibits: files of the folder `$SOURCES`. */
export const sources: Readonly<Record<string, string>> = {
  'paper.md': `---
title: Discovery of Things
author: [Ann Author, Bob Writer]
date: 1995-06-01
keywords: [harvest, soif]
subject: Resource discovery
description: How things are found
abstract: We tell how things are found where they lie.
lang: en-GB
---

# Introduction

Text about bees with a [link](https://example.org/page) and more words to read.

## Details of the matter

| Name | Value |
|------|-------|
| alpha | 42 |
| beta | 43 |

Final paragraph.
`,
  'table.csv': 'Name,Amount\nalpha,42\nbeta,43.5\n',
  'tool.pod': `=head1 NAME

finder - find things where they lie

=head1 SYNOPSIS

B<finder> [I<-v>] FILE...

=head1 DESCRIPTION

It finds things.

=head1 AUTHOR

Ann Author <ann@example.org>

=cut
`,
  'hive.c': `/* Counts the bees of a hive. Copyright (C) 1995 Ann Author */
#include <stdio.h>

int bee_count = 7;

int count_bees(int hives) { return hives * bee_count; }

int main(void) {
  printf("There are %d bees in the hive\\n", count_bees(2));
  return 0;
}
`,
  'Hive.java': `package garden;

/** Counts bees. */
public class Hive extends Thread {
  public int countBees(int hives) { return hives * 7; }
}
`,
  'subtitles.srt': `1
00:00:01,000 --> 00:00:02,500
The bees come home

2
00:00:03,000 --> 00:00:04,000
and sleep
`,
  'message.py': `import sys
from email.message import EmailMessage
message = EmailMessage()
message['From'] = 'Ann Author <ann@example.org>'
if sys.argv[1] == 'news':
    message['Newsgroups'] = 'rec.bees'
    message['Path'] = 'news.example.org!not-for-mail'
else:
    message['To'] = 'Bob Writer <bob@example.org>'
message['Subject'] = 'Bees in June \\u2014 a report'
message['Date'] = 'Thu, 01 Jun 1995 12:00:00 +0000'
message['Message-ID'] = '<1@example.org>'
message.set_content('The bees are well.\\n\\nThey hum.\\n')
if sys.argv[1] == 'mail':
    message.add_attachment(b'Name,Amount\\n', maintype='text', subtype='csv', filename='table.csv')
sys.stdout.buffer.write(message.as_bytes())
`,
  'saved-page.py': `import sys
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
page = MIMEMultipart('related', type='text/html')
page['From'] = '<Saved by a program>'
page['Subject'] = 'Bees'
page['Date'] = 'Thu, 01 Jun 1995 12:00:00 +0000'
part = MIMEText('<title>Bees in Gen\u00e8ve</title><h1>Bees</h1><p>They hum <a href="b.html">there</a>', 'html', 'utf-8')
part['Content-Location'] = 'http://example.org/a/bees.html'
page.attach(part)
style = MIMEText('p { color: red }', 'css')
style['Content-Location'] = 'http://example.org/a.css'
page.attach(style)
sys.stdout.buffer.write(page.as_bytes())
`,
  'memo.ms': `.pl 10.0i
.po 0
.ll 7.2i
.lt 7.2i
.nr LL 7.2i
.nr LT 7.2i
.ds LF Author
.ds RF [Page %]
.ds LH @NAME@
.ds RH June 1995
.ds CH Finding Bees
.hy 0
.nf
Network Working Group                                          A. Author
@NAME@                            Hive Institute
Category: Informational                                        June 1995


                     Finding Bees Where They Lie

.fi
.in 3
.ti 0
Status of this Memo

This memo provides information for the Internet community.  Distribution of this memo is unlimited.

.ti 0
Abstract

This document tells how bees are found where they lie, and how they are counted.

.ti 0
1.  Introduction

Bees are found in hives.  They hum [RFC1234].

.ti 0
2.  Security Considerations

Bees sting.
`,
};
