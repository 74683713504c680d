import type { JsonValue } from '@atrium/platform/kernel';

/** A call as far as the rules of the loop depend on it. */
export interface LoopCall {
  readonly tool: string;
  readonly input: JsonValue;
  /** The input did not fit the schema of the tool. */
  readonly isInvalid: boolean;
}

/** Characters of JSON that a model reads of the output of a call. */
export const MOST_OUTPUT = 50_000;
/** Inputs of one tool that may be invalid before the tool is taken away. */
const MOST_INVALID = 2;
/** The same call this often ends the use of tools. */
const SAME_CALL = 3;

/** Keeps the use of tools within bounds: so many steps, no call three times, no tool that is misunderstood again and again. */
export class ToolLoop {
  private readonly calls = new Map<string, number>();
  private readonly invalid = new Map<string, number>();
  private readonly uncertain = new Set<string>();
  private repeats = false;

  constructor(private readonly maxSteps: number) {}

  /** A call was made, in this attempt or before. */
  recordCall({ tool, input, isInvalid }: LoopCall): void {
    const key = `${tool} ${canonicalJson(input)}`;
    const count = (this.calls.get(key) ?? 0) + 1;
    this.calls.set(key, count);
    if (count >= SAME_CALL) this.repeats = true;
    if (isInvalid) this.invalid.set(tool, (this.invalid.get(tool) ?? 0) + 1);
  }

  /** A call may have happened or not, and must not happen twice. */
  noteUncertain({ tool, input }: Pick<LoopCall, 'tool' | 'input'>): void {
    this.uncertain.add(`${tool} ${canonicalJson(input)}`);
  }

  /** Whether the outcome of a call like this one is unknown, so that it is never made again. */
  isUncertain({ tool, input }: Pick<LoopCall, 'tool' | 'input'>): boolean {
    return this.uncertain.has(`${tool} ${canonicalJson(input)}`);
  }

  /** Whether tools are offered in a step, counted from 1. The last step has none, so that an answer always comes. */
  offersTools(step: number): boolean {
    return step < this.maxSteps && !this.repeats;
  }

  isOffered(tool: string): boolean {
    return (this.invalid.get(tool) ?? 0) < MOST_INVALID;
  }

  /** Whether a call like this one was made so often that it is not made again. */
  isRepeated({ tool, input }: Pick<LoopCall, 'tool' | 'input'>): boolean {
    return (this.calls.get(`${tool} ${canonicalJson(input)}`) ?? 0) >= SAME_CALL - 1;
  }
}

/** JSON with the keys of objects in order: two inputs that say the same are the same text. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as Readonly<Record<string, JsonValue>>).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}
