import { newId } from '@atrium/platform/kernel';
import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { ApplyContentOps, ReadVersion, ReplaceContent, RestoreVersion } from './content.dto';
import { ChangeNode, CopyNode, CreateNode, DeleteNode, ListNodes, ReadNode, ReadTree } from './nodes.dto';

describe('bodies of pages', () => {
  it.each<[string, new () => object, object, string, string]>([
    ['a page without a name', CreateNode, {}, 'node_name', 'required'],
    ['an unknown kind', CreateNode, { node_name: 'x', node_kind: 'file' }, 'node_kind', 'choice'],
    ['a slug of 121 characters', CreateNode, { node_name: 'x', node_slug: 'a'.repeat(121) }, 'node_slug', 'too_long'],
    ['content that is a list', CreateNode, { node_name: 'x', node_content: [] }, 'node_content', 'object'],
    ['51 tags', CreateNode, { node_name: 'x', node_tags: Array.from({ length: 51 }, () => 'a') }, 'node_tags', 'too_many'],
    ['a path', CreateNode, { node_name: 'x', node_path: {} }, 'node_path', 'unknown_field'],
    ['another kind', ChangeNode, { node_kind: 'folder' }, 'node_kind', 'unknown_field'],
    ['content in a change', ChangeNode, { node_content: {} }, 'node_content', 'unknown_field'],
    ['no name', ChangeNode, { node_name: '' }, 'node_name', 'too_short'],
    ['a neighbour that is no id', ChangeNode, { before: 'x' }, 'before', 'uuid'],
    ['a branch that is no truth value', CopyNode, { subtree: 'yes' }, 'subtree', 'boolean'],
    ['no content', ReplaceContent, {}, 'node_content', 'required'],
    ['a note of 501 characters', ReplaceContent, { node_content: {}, note: 'x'.repeat(501) }, 'note', 'too_long'],
    ['no operations', ApplyContentOps, { ops: [] }, 'ops', 'too_few'],
    ['201 operations', ApplyContentOps, { ops: Array.from({ length: 201 }, () => ({ op: 'remove' })) }, 'ops', 'too_many'],
    ['no locales', RestoreVersion, { locales: [] }, 'locales', 'too_few'],
  ])('are refused with %s', async (_, type, body, path, code) => {
    expect(await faultsOfBody(type, body)).toMatchObject([{ path, code }]);
  });
});

describe('queries of pages', () => {
  it.each<[string, new () => object, string, string, string]>([
    ['a parent that is no id', ListNodes, 'node_parent=top', 'node_parent', 'pattern'],
    ['an unknown state', ListNodes, 'state=live', 'state', 'choice'],
    ['a branch that is no id', ListNodes, 'under=x', 'under', 'uuid'],
    ['a depth of 16', ReadTree, 'depth=16', 'depth', 'too_large'],
    ['a depth of 0', ReadTree, 'depth=0', 'depth', 'too_small'],
    ['an unknown version', ReadNode, 'version=live', 'version', 'pattern'],
    ['version 0', ReadNode, 'version=0', 'version', 'pattern'],
    ['something else to resolve', ReadNode, 'resolve=assets', 'resolve', 'choice'],
    ['children that are kept', DeleteNode, 'children=keep', 'children', 'choice'],
    ['another state to compare with', ReadVersion, 'against=live', 'against', 'pattern'],
  ])('are refused with %s', async (_, type, query, path, code) => {
    expect(await faultsOfQuery(type, query)).toMatchObject([{ path, code }]);
  });

  it('take the top, states and versions by number', async () => {
    expect(await faultsOfQuery(ListNodes, `node_parent=root&under=${newId()}&state=changed&locale=de`)).toEqual([]);
    expect(await faultsOfQuery(ReadNode, 'version=12&locale=de-CH&resolve=links')).toEqual([]);
  });
});
