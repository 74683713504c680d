import { faultsOfBody } from '@atrium/platform/testing';
import { WriteAnalysisSchema } from './analysis-schemas.dto';

const field = (name: string, more: object = {}): object => ({ name, type: 'string', source: 'model', ...more });

describe('an analysis schema', () => {
  it.each<[string, object[], string, string]>([
    ['no fields', [], 'mas_fields', 'too_few'],
    ['a capital in the name of a field', [field('Mood')], 'mas_fields[0].name', 'pattern'],
    ['an unknown key of a field', [field('mood', { colour: 'red' })], 'mas_fields[0].colour', 'unknown_field'],
    ['41 fields', Array.from({ length: 41 }, (_, at) => field(`f${at}`)), 'mas_fields', 'too_many'],
  ])('is refused with %s', async (_, mas_fields, path, code) => {
    expect(await faultsOfBody(WriteAnalysisSchema, { mas_name: 'wrong', mas_fields })).toMatchObject([{ path, code }]);
  });
});
