import { faultsOfBody } from '@atrium/platform/testing';
import { CreatePrompt } from './prompts.dto';

describe('a new prompt', () => {
  it.each<[string, object, string, string]>([
    ['no text', { prompt_text: '' }, 'prompt_text', 'too_short'],
    ['a text beyond its bounds', { prompt_text: 'a'.repeat(50_001) }, 'prompt_text', 'too_long'],
    ['its names', { prompt_wildcards: ['tone'] }, 'prompt_wildcards', 'unknown_field'],
    ['a number of runs', { prompt_run_count: 7 }, 'prompt_run_count', 'unknown_field'],
    ['a favourite', { prompt_pref: { favorite: true } }, 'prompt_pref', 'unknown_field'],
    ['null as its name', { prompt_name: null }, 'prompt_name', 'string'],
    ['null as its text', { prompt_text: null }, 'prompt_text', 'string'],
    ['null as its parameters', { prompt_params: null }, 'prompt_params', 'object'],
    ['null as its knowledge', { prompt_knowledge: null }, 'prompt_knowledge', 'array'],
    ['null as its categories', { prompt_categories: null }, 'prompt_categories', 'array'],
    ['null as its access list', { prompt_acl: null }, 'prompt_acl', 'object'],
    ['null as its metadata', { prompt_metadata: null }, 'prompt_metadata', 'object'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreatePrompt, { prompt_name: 'x', prompt_text: 'x', ...more })).toMatchObject([{ path, code }]);
  });
});
