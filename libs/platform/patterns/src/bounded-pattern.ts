import { currentEffort, spendEffort, TOO_COMPLEX, type Effort } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';
import { programSize } from './program-size';

/** Most instructions of the program that a pattern becomes. */
const MOST_INSTRUCTIONS = 5_000;
/** Units of effort for each instruction that is compiled … */
const TO_COMPILE = 10;
/** … and instructions that are held against a character for one unit, with some for the character itself. */
const FOR_ONE_UNIT = 16;
const FOR_CHARACTER = 30;
/** An instruction takes some 300 bytes, and each program up to 8 MB of what it has learned of texts. */
const KEPT_INSTRUCTIONS = 100_000;
const KEPT_PROGRAMS = 100;

const programs = new LRUCache<string, RE2JS>({
  max: KEPT_PROGRAMS,
  maxSize: KEPT_INSTRUCTIONS,
  sizeCalculation: (program, source) => program.programSize() + source.length,
});

/** Why a text is no pattern that can be used. */
export interface PatternFault {
  readonly code: 'pattern' | typeof TOO_COMPLEX;
  readonly message: string;
}

/**
 * A pattern that people wrote, in the syntax of RE2: no backreferences, no look-around. Its program is small enough to be held against
 * a text, and what that costs is spent from the effort of the request or step.
 */
export class BoundedPattern {
  private constructor(readonly source: string) {}

  /** The pattern, or why it is none. Nothing is compiled whose program would be too large. */
  static of(source: string): BoundedPattern | PatternFault {
    if (programSize(source) > MOST_INSTRUCTIONS)
      return {
        code: TOO_COMPLEX,
        message: `its repetitions make it too large: expanded, it can have at most ${MOST_INSTRUCTIONS} steps`,
      };
    try {
      programOf(source);
      return new BoundedPattern(source);
    } catch (error) {
      if (error instanceof RE2JSException) return { code: 'pattern', message: error.message.replace(/^error parsing regexp: /, '') };
      throw error;
    }
  }

  /** Whether the whole text matches. */
  matches(text: string, effort = currentEffort()): boolean {
    return this.against(text, effort).matches();
  }

  /** Whether some part of the text matches. */
  finds(text: string, effort = currentEffort()): boolean {
    return this.against(text, effort).find();
  }

  private against(text: string, effort: Effort): ReturnType<RE2JS['matcher']> {
    const program = programOf(this.source);
    effort.spend(((program.programSize() + FOR_CHARACTER) * (text.length + 1)) / FOR_ONE_UNIT);
    return program.matcher(text);
  }
}

function programOf(source: string): RE2JS {
  const known = programs.get(source);
  if (known) return known;
  spendEffort(TO_COMPILE * programSize(source));
  const program = RE2JS.compile(source);
  programs.set(source, program);
  return program;
}
