import 'reflect-metadata';
import { COLOR_FORM, Flag, Json, NestedList, Text, TextList, Whole } from '@atrium/platform/database';
import type { Problem } from '@atrium/platform/kernel';
import { Accepts, Answer, Body } from './bodies';
import { createValidationPipe } from './validation.pipe';

@Accepts()
class Oar {
  @Text({ omittable: true, min: 1 }) oar_name?: string;
}

class Rigging {
  @NestedList(() => Oar, { omittable: true }) oars?: Oar[];
  @Json({ omittable: true }) rig?: object;
}

class Boat {
  @Text({ optional: true }) boat_note!: string | null;
}

@Accepts()
class Voyage {
  @Text({ omittable: true, min: 1 }) port?: string;
  @Whole({ omittable: true, min: 1 }) days?: number;
  @Flag({ omittable: true }) fast?: boolean;
  @TextList({ omittable: true }) crew?: string[];
  @Text({ optional: true }) note?: string | null;
}

class Launch extends Body(Boat, { optional: ['boat_note'], with: Rigging }) {}

@Accepts()
class Paint {
  @Text({ omittable: true, form: COLOR_FORM }) hull?: string;
}

@Answer()
class Log {
  @Text({ omittable: true }) entry?: string;
}

const pipe = createValidationPipe();
const faults = (body: object, type: new () => object = Voyage): Promise<unknown> =>
  (pipe.transform(body, { type: 'body', metatype: type }) as Promise<unknown>).then(
    () => [],
    (problem: Problem) => problem.errors?.map(({ path, message }) => [path, message]),
  );
const documented = (type: Function, name: string): unknown =>
  Reflect.getMetadata('swagger/apiModelProperties', type.prototype as object, name);

describe('an omittable field', () => {
  it('may be left out, and null is rejected with what it must be', async () => {
    expect(await faults({})).toEqual([]);
    expect(await faults({ port: null, days: null, fast: null, crew: null })).toEqual([
      ['port', 'must be a string'],
      ['days', 'must be a whole number'],
      ['fast', 'must be true or false'],
      ['crew', 'must be an array'],
    ]);
    expect(await faults({ port: '' })).toEqual([['port', 'must not be empty']]);
  });

  it('keeps its rule beside fields of a resource and in the items of a list', async () => {
    expect(await faults({}, Launch)).toEqual([]);
    expect(await faults({ oars: null, rig: null }, Launch)).toEqual([
      ['oars', 'must be an array of objects'],
      ['rig', 'must be an object'],
    ]);
    expect(await faults({ oars: [{}, { oar_name: null }] }, Launch)).toEqual([['oars[1].oar_name', 'must be a string']]);
  });

  it('is documented as neither required nor nullable', () => {
    expect(documented(Voyage, 'port')).toMatchObject({ required: false });
    expect(documented(Voyage, 'port')).not.toHaveProperty('nullable');
    expect(documented(Launch, 'oars')).toMatchObject({ required: false });
    expect(documented(Log, 'entry')).toMatchObject({ required: false });
  });
});

describe('a text of one form', () => {
  it('is refused in words, while the document has the expression', async () => {
    expect(await faults({ hull: '#2B6cb0' }, Paint)).toEqual([]);
    expect(await faults({ hull: 'red' }, Paint)).toEqual([['hull', 'must be a color such as #2b6cb0']]);
    expect(documented(Paint, 'hull')).toMatchObject({ pattern: '^#[0-9a-fA-F]{6}$' });
  });
});

describe('an optional field', () => {
  it('may be left out or null, and is documented so', async () => {
    expect(await faults({ note: null })).toEqual([]);
    expect(await faults({ boat_note: null }, Launch)).toEqual([]);
    expect(documented(Voyage, 'note')).toMatchObject({ required: false, nullable: true });
  });
});
