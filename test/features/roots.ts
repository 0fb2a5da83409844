import type { Area } from './feature.ts';

export const roots: Area = {
  'root.web': {
    feature: 'A web site is crawled breadth first, each URL once, without other hosts.',
    test: 'breadth first, each URL once, other hosts and schemes left out, any type of document',
  },
  'root.web-unchanged': {
    feature: 'An unchanged web site is asked once for each URL and sends no body.',
    test: 'an unchanged site gets one request per URL and sends no body; its links are followed from memory',
  },
  'root.web-md5': {
    feature: 'Without validators of the server the MD5 of a page decides whether it changed.',
    test: 'a server without validators: the MD5 decides, and an equal body is unchanged',
  },
  'root.web-deleted': {
    feature: 'A page that was deleted is noticed, and one that only lost its links stays.',
    test: 'a page deleted together with its links is noticed; one that only lost its links stays',
  },
  'root.web-redirects': {
    feature: 'Redirects within a site lead to the final URL, and others are left out by a rule.',
    test: 'redirects within the site give the final URL, others are left out by a rule',
  },
  'root.web-moved': {
    feature: 'A root that leads to another site is an error that names the other address.',
    test: 'a root that leads to another site says where',
  },
  'root.web-status': {
    feature: 'Pages with 404 or 410 are gone, and pages with other errors keep their summaries.',
    test: 'answers other than a document',
  },
  'root.web-robots': {
    feature: 'A crawl obeys robots.txt and names the line, and this can be turned off.',
    test: 'robots.txt is obeyed and named, also for redirects, and it can be turned off',
  },
  'root.web-cuts': {
    feature: 'Every limit that cuts a crawl is reported and cuts the same pages each time.',
    test: 'every cut is reported, and a limit that cuts is deterministic',
  },
  'root.web-stay-below': {
    feature: 'With `gatherer.stay-below` only pages below the folder of the root are gathered.',
    test: 'only below the folder of the root, when set',
  },
  'root.web-sitemaps': {
    feature: 'Sitemaps and sitemap indexes lead to pages that no link leads to.',
    test: 'sitemaps are seeds: by robots.txt and by name, indexes, gzip, dates; unchanged ones are not read again',
  },
  'root.web-order': {
    feature: 'The order of a crawl does not depend on how many requests run at a time.',
    test: 'the order is that of one request at a time, however the answers arrive',
  },
  'root.web-silent': {
    feature: 'A site that falls silent ends the run and deletes nothing.',
    test: 'a site that stops answering ends the run instead of a request for every page',
  },
  'root.web-broken-body': {
    feature: 'A page that breaks off is asked for again.',
    test: 'a body that breaks off is requested again',
  },
  'root.web-any-site': {
    feature: 'Over any sequence of changes of a site the summaries are those of its pages.',
    test: 'after any sequence of sites the right pages are stored, and no unchanged page is read twice',
  },
  'root.web-nginx': {
    feature: 'All pages of the Python manual behind nginx are gathered, and no body is sent twice.',
    test: 'Debian’s Python pages behind nginx: every page, and no body a second time',
  },
  'root.web-429': {
    feature: 'A site that answers 429 for page after page is left alone.',
    test: 'a site that answers 429 to page after page is left alone',
  },
  'root.web-delay': {
    feature: 'Sitemaps and page lists keep the delay of the root too.',
    test: 'sitemaps and page lists are requested with the delay of the root, like pages',
  },
  'root.web-start-page': {
    feature: 'When the start page is not served nothing is deleted and the status is named.',
    test: 'a start page that is not served is reported by its status, and nothing is deleted',
  },
  'root.web-from-sitemap': {
    feature: 'A site without its start page is gathered from its sitemap.',
    test: 'without its start page a site is gathered from its sitemap, and nothing is deleted',
  },
  'root.web-gone': {
    feature: 'Pages that are gone are listed with the page that links to them.',
    test: 'missing pages are listed with the pages that link to them, and are no failures',
  },
  'root.web-unknown-host': {
    feature: 'An unknown host and a port on which nobody listens are reported as such.',
    test: 'an unknown host and a closed port are reported as such, not as a matter of robots.txt',
  },
  'root.web-sphinx': {
    feature: 'Pages that only the search index of Sphinx names are found.',
    test: 'pages that only the search index of Sphinx names are found; unchanged, it is not read again',
  },
  'root.web-mkdocs': {
    feature: 'Pages that only the search index of MkDocs names are found.',
    test: 'pages that only the search index of MkDocs names are found',
  },
  'root.web-page-list-scope': {
    feature: 'Pages named by a search index obey the scope, robots.txt and the limits.',
    test: 'each page it names obeys the scope, robots.txt and the limits, and so does the list',
  },
  'root.web-frontier': {
    feature: 'Links that wait to be followed beyond the memory limit wait in a temporary file.',
    test: 'first in, first out, with any memory limit, and nothing stays on disk',
  },
  'root.kinds': {
    feature: 'Each kind of root is recognised by its scheme.',
    test: 'each kind of root has its enumerator',
  },
  'root.seven-kinds': {
    feature: 'Roots of seven kinds are gathered in one run, and one that is down leaves the others.',
    test: 'roots of seven kinds in one configuration: all in one run, nothing read again in the second, and one that is down does not affect the others',
  },
  'root.all-down': {
    feature: 'When every root is down the run ends with the error of the first.',
    test: 'when every root is down the run ends with the error of the first',
  },
  'root.bare-url': {
    feature: 'A root in `garner.yaml` may be a URL alone.',
    test: 'a bare URL among the roots is gathered',
  },
  'root.options': {
    feature: 'A root takes all its options, each with a default.',
    test: 'a RootNode with all its options, and with none',
  },
  'root.mistakes': {
    feature: 'A mistake in a root is named with its key and its cure.',
    test: 'a fault is named with its key and its cure',
  },
  'root.url-filter': {
    feature: 'The first pattern of `url-filter` that matches path and query decides.',
    test: 'URL filters in order on path and query, the first that matches decides',
  },
  'root.host-filter': {
    feature: 'Hosts are chosen by name, port and address, up to `host-max`.',
    test: 'hosts by name and port, by address, and a max of hosts',
  },
  'root.web-options': {
    feature: 'A web root obeys its filters, host limits, URL limits and search order.',
    test: 'a web site with the options of a RootNode: hosts, filters, limits, order',
  },
  'root.folder-options': {
    feature: 'A folder among the roots obeys its filters and depth, and `why` names them.',
    test: 'a folder among the roots follows its filters, for URLs below it, and why names them',
  },
  'root.base-url': {
    feature: 'Documents of a root with a base URL are filtered and counted under that URL.',
    test: 'documents of a root with a base of its own are filtered and counted under it',
  },
  'root.credentials': {
    feature: 'A news server is logged in to with the credentials for its URL.',
    test: 'the enumerator logs in to a news server with the credentials for its URL',
  },
  'root.feed-atom': {
    feature: 'The entries of an Atom feed are documents.',
    test: 'Atom: the example of RFC 4287, alternate links only, xml:base, next page',
  },
  'root.feed-rss': {
    feature: 'RSS 2.0, RSS 1.0 and JSON Feed are read.',
    test: 'RSS 2.0, RSS 1.0 and JSON Feed',
  },
  'root.feed': {
    feature: 'Dates of a feed spare requests, and an entry that fell out of the feed is asked for.',
    test: 'a feed: its entries are documents, dates save requests, documents that left it are requested',
  },
  'root.feed-pages': {
    feature: 'The pages of a feed are followed on the same host up to a bound.',
    test: 'pages of a feed: followed on the same host, never in a circle, and not beyond the limit',
  },
  'root.ftp': {
    feature: 'All files below an FTP folder are gathered over one connection, and nothing is fetched twice.',
    test: 'vsftpd: every file below a folder over one connection, and nothing fetched a second time',
  },
  'root.ftp-listing': {
    feature: 'A listing `ls-lR` that lies ready on an FTP server is used.',
    test: 'vsftpd: a ready-made listing of everything is used, and no folder is listed but the root',
  },
  'root.ftp-limits': {
    feature: 'Limits and filters of an FTP root cut and are reported.',
    test: 'vsftpd: limits and filters are reported, a forbidden file is left out, a missing root fails',
  },
  'root.gopher': {
    feature:
      'Gopher menus are followed, each document is read once, and nothing of it again in the next run.',
    test: 'Debian’s gophernicus: menus in menus, each document once, and nothing new in a second run',
  },
  'root.gopher-rules': {
    feature: 'Other hosts, searches and hidden names of Gopher are left out by a rule.',
    test: 'other hosts, schemes, searches and hidden names are left out by a rule, loops end',
  },
  'root.gopher-empty': {
    feature: 'A Gopher menu that cannot be read or comes empty deletes nothing.',
    test: 'a menu that cannot be read deletes nothing, and a server without a root menu is an error',
  },
  'root.news': {
    feature: 'Articles of a news group are each asked for once in their life.',
    test: 'Debian’s sn: articles under nntp://host/group/number, each requested only once',
  },
  'root.news-groups': {
    feature: 'All groups of a news server are read, and an article of two groups is one document.',
    test: 'Debian’s sn: all groups, an article of two groups once, and a cancelled article is gone',
  },
  'root.news-limit': {
    feature: 'A limit on a news root cuts loudly, and what it cut is read when the limit is raised.',
    test: 'a limit is reported, and articles it cut are requested when it is raised',
  },
  'root.news-lost': {
    feature: 'A news server that lost its groups deletes nothing.',
    test: 'a server that has lost its groups deletes nothing, and groups beyond the limit are reported',
  },
  'root.git': {
    feature: 'The files of a git revision are documents with the times of their last changes.',
    test: 'files of a revision with the times of their last changes, unchanged by blob',
  },
  'root.git-hostile': {
    feature: 'Nothing that a hostile git repository configures is run.',
    test: 'nothing that a hostile repository configures is run',
  },
  'root.mbox': {
    feature: 'Each message of an mbox file is a document and is unchanged while the message is.',
    test: 'an mbox made by Python: a document for each message, unchanged when the file or the message is',
  },
  'root.mbox-folder': {
    feature: 'A folder of mbox files is gathered, with deleted and doubled messages.',
    test: 'a folder of mbox files: deleted messages, copies, other files, limits',
  },
  'root.maildir': {
    feature: 'Messages of a Maildir are known by name, whatever happens to their flags.',
    test: 'a Maildir made by Python: known by name, whatever a message’s flags',
  },
  'root.mbox-large': {
    feature: 'Messages of 64 MB stream by in bounded memory.',
    test: 'messages of 64 MB each are streamed in bounded memory',
  },
  'root.program': {
    feature: 'A program prints the URLs to gather, with stamps and remarks.',
    test: 'a program that prints URLs: remarks, bad lines, stamps, limits of the root',
  },
  'root.program-reported': {
    feature: 'A program gets the root and its limits on standard input, and its failure deletes nothing.',
    test: 'a program gets the root and its limits, and its failure deletes nothing',
  },
  'root.program-empty': {
    feature: 'A program that printed nothing deletes nothing unless a remark says so.',
    test: 'a program that succeeds and prints nothing deletes nothing, unless a remark says that there is nothing',
  },
  'root.program-depth': {
    feature: 'With a depth each URL that a program prints is expanded.',
    test: 'with a depth, printed URLs are expanded by their enumerators',
  },
  'root.leaves': {
    feature: '`gatherer.leaves` are gathered once each without following their links.',
    test: 'leaf nodes: each once, conditionally, with redirects, robots.txt and deleted documents',
  },
  'root.silent-host': {
    feature: 'A host that never answers is asked twenty times, and not for each of its URLs.',
    test: 'a host that never answers gets twenty requests, not one for each of its URLs',
  },
  'root.local-mapping': {
    feature: 'Documents of a web site that lie on this machine are read from disk without a request.',
    test: 'nginx and the folder it serves: the same documents without a request, each fall-back by its reason',
  },
  'root.local-mapping-stamp': {
    feature: 'A mapped file of the same size and date is recognised as another one by its inode.',
    test: 'a file of the same size and date is another one by its inode or the time of its change',
  },
  'root.manual': {
    feature: 'Every root shown in the manual is one, and every kind of root is shown.',
    test: 'every root shown is valid, and every scheme is shown',
  },
  'root.help': {
    feature: 'The help of the verbs names every kind of root.',
    test: 'help names every kind of root',
  },
};
