import type { ReadableFiles, ReleasableFiles } from '@atrium/files';
import { PersonDataSources, type PersonReader } from '@atrium/governance';
import type { Permission } from '@atrium/platform/access';
import { PublicationsOfPeople } from './publications-of-people';

describe('a rule in the archive of who made it', () => {
  it('has the count of all publications that name it for who keeps the rules alone', async () => {
    const sources = new PersonDataSources();
    new PublicationsOfPeople(sources, {} as ReleasableFiles, {} as ReadableFiles);
    const { shown } = sources.getOwnTable('distribution_restriction');
    const rule = { dr_id: 'r', dr_name: 'Not in France' };
    const shownTo = (...permissions: readonly Permission[]) =>
      shown?.([{ ...rule, dr_publication_count: 3 }], { user_id: 'u', email: null, name: null }, {
        permissions: new Set(permissions),
      } as unknown as PersonReader);
    expect(await shownTo('admin:distribution')).toEqual([{ ...rule, dr_publication_count: 3 }]);
    expect(await shownTo('media:view')).toEqual([rule]);
    expect(await shown?.([{ ...rule, dr_publication_count: 3 }], { user_id: 'u', email: null, name: null }, null)).toEqual([rule]);
  });
});
