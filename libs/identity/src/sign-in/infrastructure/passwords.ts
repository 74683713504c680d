import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { invalidField, Lanes, normalized, onceForAll } from '@atrium/platform/kernel';
import type { Options } from '@node-rs/argon2';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Each takes one of the four threads of the process that also read files, look up names and compress: half are left to those. */
const AT_ONCE = 2;
const WAITING = 100;
const MIN = 12;
const MAX = 256;
const MIN_SCORE = 3;
/** Judging runs on the event loop and grows with the square of the length; what comes later only makes a password stronger. */
const JUDGED = 64;
const TIME_COST = 3;
const LANES = 1;
const CONTROL = /[\p{Cc}\p{Cs}]/u;
const PARAMETERS = /\$m=(\d+),t=(\d+),p=(\d+)\$/;

/** Loaded at the first sign-in: most hosts that start never see one. */
const argon2 = (): Promise<typeof import('@node-rs/argon2')> => import('@node-rs/argon2');

/** The words that passwords are judged by, loaded when the first one is. */
async function makeJudge(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs: adjacencyGraphs });
}

/** Argon2id hashing, at most a few at once: memory-hard work must not take the process down. */
@Injectable()
export class Passwords {
  private readonly lanes = new Lanes(AT_ONCE, WAITING);
  private readonly judge = onceForAll(makeJudge);
  private readonly dummyHash = onceForAll(() => this.rehashPassword('a password nobody has'));

  constructor(private readonly settings: Settings) {}

  /** The hash to store. Strength is judged apart, by `assertStrong`. */
  async hashPassword(password: string): Promise<string> {
    return this.rehashPassword(normalForm(password));
  }

  /** Whether the password fits; without a hash the same work is done against a dummy, so that the time reveals nothing. */
  async verifyPassword(password: string, stored: string | null): Promise<boolean> {
    const dummy = await this.dummyHash();
    const against = stored ?? dummy;
    const fits = await this.lanes.runInLane(() => argon2().then(({ verify }) => verify(against, normalized(password, 'NFKC'))));
    return fits && stored !== null;
  }

  /** Refuses a password that is easy to guess; `own` is what others know of the person: name and address. */
  async assertStrong(password: string, own: readonly string[], path = 'password'): Promise<void> {
    const plain = normalForm(password, path);
    const judge = await this.judge();
    if (judge.check(plain.slice(0, JUDGED), wordsOf(own)).score < MIN_SCORE)
      throw invalidField(path, 'is too easy to guess; use more or rarer words', 'weak');
  }

  /** Refuses what cannot be a password of anyone: 400 instead of an attempt. */
  assertPossible(password: string, path = 'password'): void {
    if (CONTROL.test(password)) throw invalidField(path, 'must not contain control characters or lone surrogates', 'characters');
    if ([...normalized(password, 'NFKC')].length > MAX) throw invalidField(path, `must have at most ${MAX} characters`, 'too_long');
  }

  /** Hashes again a password that was proven, whatever rules hold for new ones. */
  rehashPassword(password: string): Promise<string> {
    return this.lanes.runInLane(() => argon2().then(({ hash }) => hash(normalized(password, 'NFKC'), this.parameters())));
  }

  /** Whether a stored hash was made with less work than is asked for now. */
  isOutdated(stored: string): boolean {
    const [, memory = 0, time = 0] = (PARAMETERS.exec(stored) ?? []).map(Number);
    return memory < this.settings.AUTH_PASSWORD_MEMORY_KIB || time < TIME_COST;
  }

  /** Argon2id is the library's default algorithm. */
  private parameters(): Options {
    return { memoryCost: this.settings.AUTH_PASSWORD_MEMORY_KIB, timeCost: TIME_COST, parallelism: LANES };
  }
}

/** The password as it is hashed: NFKC, so that it fits from every keyboard. */
function normalForm(password: string, path = 'password'): string {
  if (CONTROL.test(password)) throw invalidField(path, 'must not contain control characters or lone surrogates', 'characters');
  const plain = normalized(password, 'NFKC');
  const length = [...plain].length;
  if (length < MIN || length > MAX)
    throw invalidField(path, `must have ${MIN} to ${MAX} characters`, length < MIN ? 'too_short' : 'too_long');
  return plain;
}

/** Whole texts and their parts of three letters and more. */
const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
