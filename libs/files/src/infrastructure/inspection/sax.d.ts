/** What of the XML reader is used here. */
declare module 'sax' {
  export interface Attribute {
    readonly uri: string;
    readonly local: string;
    readonly value: string;
  }
  export interface Tag {
    readonly uri: string;
    readonly local: string;
    readonly attributes: Readonly<Record<string, Attribute>>;
  }
  export interface Reader {
    onopentag: (tag: Tag) => void;
    onclosetag: () => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    ondoctype: () => void;
    onerror: (fault: Error) => void;
    write(text: string): Reader;
  }
  export function parser(strict: true, options: { readonly xmlns: true; readonly strictEntities: true; readonly position: false }): Reader;
}
