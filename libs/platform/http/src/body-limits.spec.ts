import 'reflect-metadata';
import { Policy, Public, self } from '@atrium/platform/access';
import { Choice, Flag, IdList, Json, Nested, NestedList, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { measureJson } from '@atrium/platform/kernel';
import { Body as FromBody, Post } from '@nestjs/common';
import { Accepts } from './bodies';
import { bodyLimitOf, bodyValuesOf, inKilobytes } from './body-limits';
import { createValidationPipe } from './validation.pipe';

const MOST = 10 * 1024 * 1024;

@Accepts()
class Crate {
  @Text({ max: 40 }) crate_name!: string;
  @Flag() crate_sealed!: boolean;
}

@Accepts()
class Cargo {
  @Text({ max: 20_000 }) cargo_text!: string;
  @Json({ max: 2_000 }) cargo_facts!: object;
  @IdList({ max: 100 }) cargo_ids!: string[];
  @TextList({ max: 10 }) cargo_words!: string[];
  @Choice(['afloat', 'docked']) cargo_state!: string;
  @Stamp() cargo_loaded!: Date;
  @Whole() cargo_weight!: number;
  @Nested(() => Crate) cargo_first!: Crate;
  @NestedList(() => Crate, { max: 50 }) cargo_crates!: Crate[];
}

@Accepts()
class Hold {
  @NestedList(() => Hold, { max: 2 }) holds!: Hold[];
}

class Harbour {
  @Post() @Policy(self) load(@FromBody() _body: Cargo): void {}
  @Post() @Policy(self, { body: 128 * 1024 }) stow(@FromBody() _body: Cargo): void {}
  @Post() @Public('anybody may wave') wave(@FromBody() _body: Cargo): void {}
  @Post() @Policy(self) nest(@FromBody() _body: Hold): void {}
  @Post() @Policy(self) depart(): void {}
}

const limitOf = (name: keyof Harbour): number => bodyLimitOf(Harbour, Harbour.prototype[name], MOST);

describe('the limit of a body', () => {
  it('lets through whatever its fields allow, written as wastefully as JSON can be', async () => {
    const boat = '\u{1f6a4}';
    const crate = { crate_name: boat.repeat(40), crate_sealed: false };
    const cargo = {
      cargo_text: boat.repeat(20_000),
      cargo_facts: { note: 'é'.repeat(980) },
      cargo_ids: Array.from({ length: 100 }, () => '0190163d-8694-739b-aea5-966c26f8ad91'),
      cargo_words: Array.from({ length: 10 }, () => boat.repeat(255)),
      cargo_state: 'docked',
      cargo_loaded: '2026-11-26T12:00:00.000000000+01:00',
      cargo_weight: Number.MAX_SAFE_INTEGER,
      cargo_first: crate,
      cargo_crates: Array.from({ length: 50 }, () => crate),
    };
    await createValidationPipe().transform(cargo, { type: 'body', metatype: Cargo });
    const escaped = JSON.stringify(cargo, null, 4).replace(
      /[^\x20-\x7e\n]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    expect(JSON.parse(escaped)).toEqual(cargo);
    expect(limitOf('load')).toBeGreaterThan(escaped.length);
    expect(limitOf('load')).toBeLessThan(2 * escaped.length);
  });

  it('is what a policy says, 64 KB where nobody is known or nothing is taken, and never more than the service takes', () => {
    expect(limitOf('stow')).toBe(128 * 1024);
    expect(limitOf('wave')).toBe(64 * 1024);
    expect(limitOf('depart')).toBe(64 * 1024);
    expect(bodyLimitOf(Harbour, Harbour.prototype.load, 1_000)).toBe(1_000);
    expect(bodyLimitOf(Harbour, Harbour.prototype.stow, 1_000)).toBe(1_000);
  });

  it('lets through as many values as its fields allow, and few more', () => {
    const values = bodyValuesOf(Harbour, Harbour.prototype.load, MOST);
    const facts = JSON.stringify({ cargo_facts: Array.from({ length: 990 }, () => 0) });
    const lists = { cargo_ids: Array.from({ length: 100 }, () => ''), cargo_words: Array.from({ length: 10 }, () => '') };
    const crates = Array.from({ length: 50 }, () => ({ crate_name: '', crate_sealed: true }));
    const whole = `${facts.slice(0, -1)},${JSON.stringify({ ...lists, cargo_crates: crates }).slice(1)}`;
    expect(measureJson(Buffer.from(whole)).values).toBeLessThanOrEqual(values);
    expect(measureJson(Buffer.from(JSON.stringify(Array.from({ length: 3_000 }, () => 0)))).values).toBeGreaterThan(values);
  });

  it('bounds the values of a body of which nothing else is known by its size', () => {
    expect(bodyValuesOf(Harbour, Harbour.prototype.depart, 64 * 1024)).toBe(32 * 1024);
    expect(bodyValuesOf(Harbour, Harbour.prototype.nest, MOST)).toBe(MOST / 16);
  });

  it('of a class that holds itself is the most that the service takes', () => {
    expect(limitOf('nest')).toBe(MOST);
  });

  it.each([
    [8_192, '8 KB'],
    [MOST, '10 MB'],
    [279_510, '272 KB'],
    [900, '900 bytes'],
  ])('of %d bytes is written as %s', (bytes, text) => {
    expect(inKilobytes(bytes)).toBe(text);
  });
});
