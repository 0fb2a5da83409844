/** The value of an attribute: `true` is a bare attribute; `false` and `undefined` leave it out. */
export type AttributeValue = string | number | boolean | undefined;

/** A piece of page as data: the server writes it as HTML, the browser makes it part of the document. */
export interface ViewElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly children: readonly ViewNode[];
}

/** Text is always text: no string in a tree can become markup. */
export type ViewNode = string | ViewElement;

/** A child of an element; nothing is written for `undefined`, `false` and `''`. */
export type Child = ViewNode | undefined | false | readonly Child[];

/** Build an element. Tag and attribute names come from our code only; children and values from anywhere. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  ...children: readonly Child[]
): ViewElement {
  return { tag, attributes, children: flatten(children) };
}

/** Children without the gaps; texts side by side become one, as an HTML parser makes them. */
export function flatten(children: readonly Child[]): ViewNode[] {
  const flat: ViewNode[] = [];
  const add = (child: Child): void => {
    if (child === undefined || child === false || child === '') return;
    if (isList(child)) {
      for (const one of child) add(one);
      return;
    }
    const last = flat.at(-1);
    if (typeof child === 'string' && typeof last === 'string') flat[flat.length - 1] = last + child;
    else flat.push(child);
  };
  for (const child of children) add(child);
  return flat;
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}
