import { faultsOfBody } from '@atrium/platform/testing';
import { CreateSpace } from './spaces.dto';

describe('a new space', () => {
  it.each<[string, object, string, string]>([
    ['an empty name', { space_name: '' }, 'space_name', 'too_short'],
    ['a name of 121 characters', { space_name: 'x'.repeat(121) }, 'space_name', 'too_long'],
    ['the name of a color', { space_color: 'red' }, 'space_color', 'pattern'],
    ['an icon of 65 characters', { space_icon: 'x'.repeat(65) }, 'space_icon', 'too_long'],
    ['instructions of 10,001 characters', { space_instructions: 'x'.repeat(10_001) }, 'space_instructions', 'too_long'],
    ['null as its knowledge', { space_knowledge: null }, 'space_knowledge', 'array'],
    ['null as its name', { space_name: null }, 'space_name', 'string'],
    ['null as its metadata', { space_metadata: null }, 'space_metadata', 'object'],
    ['the wish to be inactive', { space_active: false }, 'space_active', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateSpace, { space_name: 'x', ...more })).toMatchObject([{ path, code }]);
  });
});
