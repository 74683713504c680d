import { RE2JS, RE2JSException } from 're2js';

/** A pattern in the syntax of RE2: no backreferences, no look-around, time linear in the text. */
export class Pattern {
  private constructor(private readonly compiled: RE2JS) {}

  /** The pattern, or why it is none. */
  static of(source: string): Pattern | string {
    try {
      return new Pattern(RE2JS.compile(source));
    } catch (error) {
      if (error instanceof RE2JSException) return error.message.replace(/^error parsing regexp: /, '');
      throw error;
    }
  }

  /** Whether the whole text matches. */
  matches(text: string): boolean {
    return this.compiled.matcher(text).matches();
  }

  /** Whether some part of the text matches. */
  finds(text: string): boolean {
    return this.compiled.matcher(text).find();
  }
}
