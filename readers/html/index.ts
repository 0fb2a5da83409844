export { elementsByName } from './html-elements.ts';
export { HtmlReader, type Meta } from './html-reader.ts';
export { robotName, robotsDirectives } from './robots-directives.ts';
