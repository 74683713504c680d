/** The text of one mail; `{{name}}` is replaced by a variable. */
export interface MailText {
  readonly subject: string;
  /** Sentences; one with `given` is left out where that variable is empty. */
  readonly lines: readonly (string | { readonly given: string; readonly line: string })[];
  /** The link to follow and the label of its button. */
  readonly action?: { readonly label: string; readonly link: string };
  readonly note: string;
}

/** What words of a closed list are called in one language. */
export type Phrases = Readonly<Record<string, string>>;
