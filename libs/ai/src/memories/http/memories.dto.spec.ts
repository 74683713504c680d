import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { CreateMemory } from './memories.dto';

describe('a new memory', () => {
  it.each<[string, object, string, string]>([
    ['no text', { mem_value: '' }, 'mem_value', 'too_short'],
    ['spaces alone', { mem_value: '   ' }, 'mem_value', 'too_short'],
    ['a text beyond its bounds', { mem_value: 'a'.repeat(1_001) }, 'mem_value', 'too_long'],
    ['control characters', { mem_value: 'a\u0000b' }, 'mem_value', 'characters'],
    ['a kind that is not known', { mem_type: 'secret' }, 'mem_type', 'choice'],
    ['a source', { mem_source: 'import' }, 'mem_source', 'unknown_field'],
    ['a thread', { mem_thread: newId() }, 'mem_thread', 'unknown_field'],
    ['null as its text', { mem_value: null }, 'mem_value', 'string'],
    ['null as its kind', { mem_type: null }, 'mem_type', 'choice'],
    ['null as its metadata', { mem_metadata: null }, 'mem_metadata', 'object'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateMemory, { mem_value: 'x', ...more })).toMatchObject([{ path, code }]);
  });
});
