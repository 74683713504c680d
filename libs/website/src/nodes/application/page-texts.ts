import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SubjectReaders, type SubjectText } from '@atrium/ai';
import { Forms } from '@atrium/forms';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { isBlock } from '../../content/domain/content-form';
import { placedBlocks } from '../../content/domain/tree';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { NodeReading } from './node-reading';

const MAY_READ = ['site:view', 'content:view'] as const;

/** Pages as subjects of threads: their names, and the text of their drafts in the default locale. */
@Injectable()
export class PageTexts implements OnModuleInit {
  readonly type = 'node' as const;

  constructor(
    private readonly db: Database,
    private readonly readers: SubjectReaders,
    private readonly nodes: NodesRepository,
    private readonly reading: NodeReading,
    private readonly forms: Forms,
  ) {}

  onModuleInit(): void {
    this.readers.register(this);
  }

  async findNames(actor: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (!MAY_READ.some((permission) => actor.permissions.has(permission))) return new Map();
    const rows = await this.nodes.findReadable(ids, aclAllows('s.site_acl', actor, 'view'));
    return new Map(rows.map(({ node_id, node_name }) => [node_id, node_name]));
  }

  readText(actor: Principal, node_id: string): Promise<SubjectText | null> {
    return this.db.read(async () => {
      if (!(await this.findNames(actor, [node_id])).has(node_id)) return null;
      const node = await this.nodes.findRow(node_id);
      if (!node) return null;
      const draft = await this.reading.openDraft(actor, { site_id: node.node_site, node_id });
      const { find } = draft.library;
      const blocks = isBlock(node.node_tree) ? placedBlocks(node.node_tree, find) : [];
      const texts = blocks.flatMap(({ block }) => {
        const form = find(block.component)?.form;
        return form ? [this.forms.toMarkdown(form, block)] : [];
      });
      return { name: node.node_name, text: [`# ${node.node_name}`, ...texts].filter((text) => text !== '').join('\n\n') };
    });
  }
}
