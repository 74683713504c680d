import { newId, type JsonValue } from '@atrium/platform/kernel';
import type { SearchPair, SearchWorld } from './search-world';

/** A group of the library with a name of its own, and its tags by their values. */
class TagGroup {
  readonly name: string;
  private readonly tags = new Map<string, string>();

  private constructor(
    private readonly world: SearchWorld,
    private readonly id: string,
  ) {
    this.name = `Subject ${id}`;
  }

  static async of(world: SearchWorld, scope: 'media' | 'docs', values: readonly string[]): Promise<TagGroup> {
    const group = new TagGroup(world, newId());
    const { api, tenant_id } = world;
    await api.sql('INSERT INTO media_tag_group (tenant_id, mtg_id, mtg_scope, mtg_name) VALUES ($1, $2, $3, $4)', [
      tenant_id,
      group.id,
      scope,
      group.name,
    ]);
    for (const value of values) {
      group.tags.set(value, newId());
      await api.sql('INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value, mt_synonyms) VALUES ($1, $2, $3, $4, $5)', [
        tenant_id,
        group.tags.get(value),
        group.id,
        value,
        [`${value} too`],
      ]);
    }
    return group;
  }

  async onto(file: string, ...values: readonly string[]): Promise<void> {
    for (const value of values)
      await this.world.api.sql('INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group) VALUES ($1, $2, $3, $4)', [
        this.world.tenant_id,
        this.tags.get(value),
        file,
        this.id,
      ]);
  }
}

const tag = (
  op: string,
  worn: readonly string[],
  missing: readonly string[],
  value: (group: string) => JsonValue,
  scope: 'media' | 'docs' = 'media',
): SearchPair => ({
  field: 'tag',
  op,
  scope,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}], scope);
    const group = await TagGroup.of(world, scope, ['Harbour', 'Dusk', 'Pier']);
    await group.onto(hit, ...worn);
    await group.onto(miss, ...missing);
    return { value: value(group.name), hit, miss };
  },
});

const HARBOUR_OR_DUSK = (group: string): JsonValue => [
  { group, value: 'harbour' },
  { group, value: 'Dusk' },
];

export const PAIRS: readonly SearchPair[] = [
  tag('has_any', ['Dusk'], ['Pier'], HARBOUR_OR_DUSK),
  tag('has_any', ['Pier'], [], (group) => ({ group: group.toUpperCase() })),
  tag('has_any', ['Harbour'], ['Dusk'], (group) => [{ group, value: 'Harbour too' }]),
  tag('has_all', ['Harbour', 'Dusk'], ['Harbour', 'Pier'], HARBOUR_OR_DUSK),
  tag('has_none', ['Pier'], ['Dusk'], HARBOUR_OR_DUSK),
  tag('has_none', [], ['Pier'], (group) => [{ group }]),
  tag('exists', ['Pier'], [], () => true),
  tag('exists', [], ['Pier'], () => false),
  tag('has_any', ['Harbour'], ['Pier'], HARBOUR_OR_DUSK, 'docs'),
];
