/** What of the XML reader is used here: with namespaces for packets of metadata, without them for drawings. */
declare module 'sax' {
  export interface Parser<T = Tag> {
    onopentag: (tag: T) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    ondoctype: () => void;
    onerror: (fault: Error) => void;
    error: Error | null;
    write(text: string): this;
    close(): this;
    resume(): this;
  }

  export interface QualifiedAttribute {
    readonly uri: string;
    readonly local: string;
    readonly value: string;
  }

  export interface QualifiedTag {
    readonly uri: string;
    readonly local: string;
    readonly attributes: Readonly<Record<string, QualifiedAttribute>>;
  }

  export interface Tag {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }

  export function parser(
    strict: true,
    options: { readonly xmlns: true; readonly strictEntities: true; readonly position: false },
  ): Parser<QualifiedTag>;
  export function parser(strict: boolean): Parser;
  /** Longest text or attribute; the parser refuses longer ones. */
  export let MAX_BUFFER_LENGTH: number;

  const sax: { MAX_BUFFER_LENGTH: number; readonly parser: typeof parser };
  export default sax;
}
