import { NestedList, Text, Whole } from '@atrium/platform/database';
import { Accepts } from '@atrium/platform/http';
import { Problem } from '@atrium/platform/kernel';
import { faultsOfBody, faultsOfQuery, readBody, readQuery } from './input-faults';

@Accepts()
class Crate {
  @Text({ min: 1, max: 5 }) crate_name!: string;
}

@Accepts()
class Cargo {
  @Text({ min: 1 }) cargo_name!: string;
  @Whole({ min: 1, omittable: true }) cargo_weight?: number;
  @NestedList(() => Crate, { omittable: true, max: 2 }) crates?: Crate[];
}

@Accepts()
class Search {
  @Text({ min: 1 }) q!: string;
  @Text({ omittable: true }) near?: string;
}

describe('the faults of input', () => {
  it('are none where a handler gets it, as an instance of its class', async () => {
    const body = { cargo_name: 'Tea', crates: [{ crate_name: 'a' }] };
    expect(await faultsOfBody(Cargo, body)).toEqual([]);
    const cargo = await readBody(Cargo, body);
    expect(cargo).toBeInstanceOf(Cargo);
    expect(cargo).toEqual(body);
    expect(await faultsOfQuery(Search, 'q=caf%C3%A9')).toEqual([]);
    expect(await readQuery(Search, 'q=caf%C3%A9')).toEqual({ q: 'café' });
  });

  it('are those of the problem, one for each field, unknown names first', async () => {
    expect(await faultsOfBody(Cargo, { cargo_weigth: 3, cargo_weight: 0, crates: [{ crate_name: '' }] })).toEqual([
      { path: 'cargo_weigth', code: 'unknown_field', message: 'is unknown; did you mean cargo_weight?' },
      { path: 'cargo_name', code: 'required', message: 'is missing' },
      { path: 'cargo_weight', code: 'too_small', message: 'must be at least 1' },
      { path: 'crates[0].crate_name', code: 'too_short', message: 'must not be empty' },
    ]);
  });

  it('of a body are those of its JSON: what JSON leaves out is missing', async () => {
    expect(await faultsOfBody(Cargo, { cargo_name: undefined })).toMatchObject([{ path: 'cargo_name', code: 'required' }]);
    expect(await faultsOfBody(Cargo, { cargo_name: 'Tea', cargo_weight: NaN })).toMatchObject([{ path: 'cargo_weight' }]);
  });

  it('of a query are those of its text, in which a name given twice is a list and brackets are an object', async () => {
    expect(await faultsOfQuery(Search, '')).toMatchObject([{ path: 'q', code: 'required' }]);
    expect(await faultsOfQuery(Search, 'q=a&q=b')).toMatchObject([{ path: 'q' }]);
    expect(await faultsOfQuery(Search, 'q[near]=b')).toMatchObject([{ path: 'q' }]);
    expect(await faultsOfQuery(Search, 'q=a&colour=red')).toMatchObject([{ path: 'colour', code: 'unknown_field' }]);
  });

  it('are not read from a problem without any', async () => {
    await expect(faultsOfBody(Cargo, [])).rejects.toBeInstanceOf(Problem);
  });
});
