import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { invalidField, Lanes } from '@atrium/platform/kernel';
import type { Options } from '@node-rs/argon2';

const AT_ONCE = 4;
const WAITING = 100;
const MIN = 12;
const MAX = 256;

/** Loaded at the first sign-in: most hosts that start never see one. */
const argon2 = (): Promise<typeof import('@node-rs/argon2')> => import('@node-rs/argon2');

/** Argon2id hashing, at most a few at once: memory-hard work must not take the process down. */
@Injectable()
export class Passwords {
  private readonly lanes = new Lanes(AT_ONCE, WAITING);
  private dummy: Promise<string> | undefined;

  constructor(private readonly settings: Settings) {}

  async hash(password: string): Promise<string> {
    this.assertForm(password);
    return this.lanes.run(() => argon2().then(({ hash }) => hash(password.normalize('NFKC'), this.parameters())));
  }

  /** Whether the password fits; without a hash the same work is done against a dummy, so that time tells nothing. */
  async fits(password: string, stored: string | null): Promise<boolean> {
    const dummy = await this.dummyHash();
    const against = stored ?? dummy;
    const fits = await this.lanes.run(() => argon2().then(({ verify }) => verify(against, password.normalize('NFKC'))));
    return fits && stored !== null;
  }

  private assertForm(password: string): void {
    const length = [...password].length;
    if (length < MIN || length > MAX) throw invalidField('password', `must have ${MIN} to ${MAX} characters`, length < MIN ? 'too_short' : 'too_long');
  }

  private dummyHash(): Promise<string> {
    return (this.dummy ??= this.lanes.run(() => argon2().then(({ hash }) => hash('a password nobody has', this.parameters()))));
  }

  /** Argon2id is the library's default algorithm. */
  private parameters(): Options {
    return { memoryCost: this.settings.AUTH_PASSWORD_MEMORY_KIB, timeCost: 3, parallelism: 1 };
  }
}
