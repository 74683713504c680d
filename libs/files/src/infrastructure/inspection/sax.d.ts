declare module 'sax' {
  export interface Tag {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }

  export interface Parser {
    error: Error | null;
    onerror: (error: Error) => void;
    onopentag: (tag: Tag) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    write(chunk: string): Parser;
    close(): Parser;
    resume(): Parser;
  }

  const sax: {
    /** Longest text or attribute; the parser refuses longer ones. */
    MAX_BUFFER_LENGTH: number;
    parser(strict: boolean): Parser;
  };
  export default sax;
}
