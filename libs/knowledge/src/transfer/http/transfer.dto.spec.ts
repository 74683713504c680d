import { faultsOfBody } from '@atrium/platform/testing';
import { ExportKnowledge, ImportRecords } from './transfer.dto';

const ROWS = [{ name: 'x' }];

describe('an import of records', () => {
  it.each<[string, object, string, string]>([
    ['no rows', { rows: [] }, 'rows', 'too_few'],
    ['a word in the place of rows', { rows: 'x' }, 'rows', 'array'],
    ['a number as a row', { rows: [1] }, 'rows', 'array'],
    ['1,001 rows', { rows: Array.from({ length: 1_001 }, () => ({ name: 'x' })) }, 'rows', 'too_many'],
    ['an unknown mode', { rows: ROWS, mode: 'replace' }, 'mode', 'choice'],
    ['a dry run', { rows: ROWS, dry_run: true }, 'dry_run', 'unknown_field'],
    ['an unknown answer to errors', { rows: ROWS, on_error: 'ask' }, 'on_error', 'choice'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ImportRecords, body)).toMatchObject([{ path, code }]);
  });
});

describe('an export of a knowledge base', () => {
  it.each<[string, object, string, string]>([
    ['an unknown format', { format: 'pdf' }, 'format', 'choice'],
    ['a filter', { filter: {} }, 'filter', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ExportKnowledge, body)).toMatchObject([{ path, code }]);
  });
});
