/** For tests: flat OpenDocument with comments, headers, notes, boxes, deleted text and formats of cells. */
const flat = (kind: string, content: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">${content}</office:document>`,
  );

/** A workbook: dates, a duration, a percentage, leading zeros, a currency, a remark, a box, a hidden sheet. */
export const annotatedSheet = flat(
  'spreadsheet',
  `<office:automatic-styles>
<number:date-style style:name="N1"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>
<number:date-style style:name="N2"><number:day/><number:text>. </number:text><number:month number:style="long" number:textual="true"/><number:text> </number:text><number:year number:style="long"/></number:date-style>
<number:time-style style:name="N3" number:truncate-on-overflow="false"><number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/></number:time-style>
<number:percentage-style style:name="N4"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<number:number-style style:name="N5"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>
<number:currency-style style:name="N6"><number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/><number:text> </number:text><number:currency-symbol>€</number:currency-symbol></number:currency-style>
<style:style style:name="c1" style:family="table-cell" style:data-style-name="N1"/>
<style:style style:name="c2" style:family="table-cell" style:data-style-name="N2"/>
<style:style style:name="c3" style:family="table-cell" style:data-style-name="N3"/>
<style:style style:name="c4" style:family="table-cell" style:data-style-name="N4"/>
<style:style style:name="c5" style:family="table-cell" style:data-style-name="N5"/>
<style:style style:name="c6" style:family="table-cell" style:data-style-name="N6"/>
<style:style style:name="ta1" style:family="table" style:master-page-name="M1"><style:table-properties table:display="true"/></style:style>
<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>
<style:page-layout style:name="pm1"><style:header-style/><style:footer-style/></style:page-layout>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="M1" style:page-layout-name="pm1"><style:header><text:p>Letterhead of the port</text:p></style:header><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page></office:master-styles>
<office:body><office:spreadsheet>
<table:table table:name="Tides" table:style-name="ta1">
<table:table-row>
<table:table-cell table:style-name="c1" office:value-type="date" office:date-value="2024-02-15"><office:annotation><dc:creator>Al</dc:creator><text:p>remark on a cell</text:p></office:annotation></table:table-cell>
<table:table-cell table:style-name="c2" office:value-type="date" office:date-value="2024-02-15"/>
<table:table-cell table:style-name="c3" office:value-type="time" office:time-value="PT30H15M00S"/>
<table:table-cell table:style-name="c4" office:value-type="percentage" office:value="0.125"/>
<table:table-cell table:style-name="c5" office:value-type="float" office:value="1067"/>
<table:table-cell table:style-name="c6" office:value-type="currency" office:currency="EUR" office:value="1234.5"/>
<table:table-cell office:value-type="boolean" office:boolean-value="true"/>
</table:table-row>
<table:shapes/>
<table:table-row><table:table-cell office:value-type="string"><text:p>second row</text:p><draw:frame svg:width="3cm" svg:height="1cm"><draw:text-box><text:p>words in a box</text:p></draw:text-box></draw:frame></table:table-cell></table:table-row>
</table:table>
<table:table table:name="Hidden" table:style-name="ta2"><table:table-row><table:table-cell office:value-type="string"><text:p>hidden words</text:p></table:table-cell></table:table-row></table:table>
</office:spreadsheet></office:body>`,
);

/** A letter under review: header, footer, remark, notes, a box, deleted and added words. */
export const annotatedText = flat(
  'text',
  `<office:automatic-styles>
<style:page-layout style:name="pm1"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm"/><style:header-style><style:header-footer-properties fo:min-height="1cm"/></style:header-style><style:footer-style><style:header-footer-properties fo:min-height="1cm"/></style:footer-style></style:page-layout>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="pm1"><style:header><text:p>Letterhead of the port</text:p></style:header><style:footer><text:p>File number 4711</text:p><text:p>Page <text:page-number text:select-page="current">1</text:page-number> of <text:page-count>3</text:page-count></text:p></style:footer></style:master-page></office:master-styles>
<office:body><office:text>
<text:tracked-changes><text:changed-region text:id="ct1"><text:deletion><office:change-info><dc:creator>A</dc:creator><dc:date>2024-01-01T00:00:00</dc:date></office:change-info><text:p>removedwords</text:p></text:deletion></text:changed-region><text:changed-region text:id="ct2"><text:insertion><office:change-info><dc:creator>A</dc:creator><dc:date>2024-01-01T00:00:00</dc:date></office:change-info></text:insertion></text:changed-region></text:tracked-changes>
<text:p>The tide<office:annotation office:name="1"><dc:creator>Rev</dc:creator><dc:date>2024-01-01T00:00:00</dc:date><text:p>remark of a reviewer</text:p></office:annotation> comes in<office:annotation-end office:name="1"/><text:note text:note-class="footnote" text:id="f1"><text:note-citation>1</text:note-citation><text:note-body><text:p>words of a footnote</text:p></text:note-body></text:note> twice<text:note text:note-class="endnote" text:id="e1"><text:note-citation>i</text:note-citation><text:note-body><text:p>words of an endnote</text:p></text:note-body></text:note> a day, <text:change text:change-id="ct1"/><text:change-start text:change-id="ct2"/>addedwords<text:change-end text:change-id="ct2"/>.</text:p>
<text:p><draw:frame text:anchor-type="paragraph" svg:width="5cm" svg:height="2cm"><draw:text-box><text:p>words in a box</text:p></draw:text-box></draw:frame>After the box.</text:p>
</office:text></office:body>`,
);

/** A deck of one slide: notes of the speaker, a remark, a footer. */
export const annotatedSlides = flat(
  'presentation',
  `<office:automatic-styles><style:page-layout style:name="pm1"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout><style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:display-footer="true"/></style:style></office:automatic-styles>
<office:master-styles><style:master-page style:name="Default" style:page-layout-name="pm1"/></office:master-styles>
<office:body><office:presentation>
<presentation:footer-decl presentation:name="ftr1">Footer of the deck</presentation:footer-decl>
<draw:page draw:name="page1" draw:style-name="dp1" draw:master-page-name="Default" presentation:use-footer-name="ftr1">
<draw:frame presentation:class="title" svg:width="20cm" svg:height="3cm" svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>Tides of the port</text:p></draw:text-box></draw:frame>
<draw:frame svg:width="20cm" svg:height="3cm" svg:x="1cm" svg:y="5cm"><draw:text-box><text:p>words on the slide</text:p></draw:text-box></draw:frame>
<office:annotation svg:x="1cm" svg:y="1cm"><dc:creator>Rev</dc:creator><dc:date>2024-01-01T00:00:00</dc:date><text:p>remark on a slide</text:p></office:annotation>
<presentation:notes><draw:frame presentation:class="notes" svg:width="16cm" svg:height="10cm" svg:x="1cm" svg:y="12cm"><draw:text-box><text:p>words of the speaker</text:p></draw:text-box></draw:frame></presentation:notes>
</draw:page></office:presentation></office:body>`,
);
