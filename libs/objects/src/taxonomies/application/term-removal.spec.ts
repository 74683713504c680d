import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormRows, FormValues } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { SystemClock } from '@atrium/platform/kernel';
import type { BackgroundJobs, WorkEngine } from '@atrium/platform/messaging';
import type { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectStore } from '../../objects/infrastructure/object-store';
import type { TaxonomiesRepository } from '../infrastructure/taxonomies.repository';
import type { TermsRepository } from '../infrastructure/terms.repository';
import { TermRemoval } from './term-removal';
import type { TermsService } from './terms.service';

const TAXONOMY = '0190163d-8694-739b-aea5-966c26f8ad91';
const INTO = '0190163d-8694-739b-aea5-966c26f8ad92';

/** What the deletion of a term with some below it, each used so often, returns: the uses that a job is to move, or null. */
async function deletedWith(terms: number, uses: number): Promise<unknown> {
  const tree = Array.from({ length: terms }, (_, at) => ({ term_id: `t${at}`, term_parent: at === 0 ? null : 't0', term_active: true }));
  const root = { term_id: 't0', term_name: 'Lamps', term_taxonomy: TAXONOMY };
  const removal = new TermRemoval(
    { write: (work: () => unknown) => work() } as unknown as Database,
    {} as TaxonomiesRepository,
    {
      findSubtree: () => Promise.resolve(tree),
      findRow: () => Promise.resolve(undefined),
      lockReferable: () => Promise.resolve(new Map([[INTO, { is_open: true, term_taxonomy: TAXONOMY }]])),
      deactivateTerms: () => Promise.resolve(terms),
    } as unknown as TermsRepository,
    { lockTaxonomy: () => Promise.resolve(), lockTerm: () => Promise.resolve(root) } as unknown as TermsService,
    {
      countAllUses: (ids: readonly string[]) => Promise.resolve(new Map(ids.map((id) => [id, uses]))),
      countUses: () => Promise.resolve(new Map()),
      findReferrers: () => Promise.resolve([]),
    } as unknown as FormValues,
    { startJob: (_: unknown, { total }: { total: number }) => Promise.resolve({ total }) } as unknown as BackgroundJobs,
    {} as WorkEngine,
    { record: () => undefined },
    new SystemClock(),
    { openAll: () => Promise.resolve(new Map()) } as unknown as FormRows,
    {} as ObjectStore,
    {} as ObjectWrites,
  );
  return removal.removeTerm({} as Principal, { tax_id: TAXONOMY, term_id: 't0' }, { children: 'delete', reassign_to: INTO });
}

describe('the deletion of terms that are used', () => {
  it('is a job for more than 10,000 uses, or uses of more than 20 terms', async () => {
    expect([await deletedWith(1, 10_000), await deletedWith(20, 1)]).toEqual([null, null]);
    expect([await deletedWith(1, 10_001), await deletedWith(21, 1)]).toEqual([{ total: 10_001 }, { total: 21 }]);
  });

  it.each(['../http/terms.controller.ts', '../../../README.md'])('says so in %s', (file) => {
    const text = readFileSync(join(__dirname, file), 'utf8').replace(/\s+\*?\s*/g, ' ');
    expect(text).toContain('More than 10,000 uses, or uses of more than 20 terms,');
  });
});
