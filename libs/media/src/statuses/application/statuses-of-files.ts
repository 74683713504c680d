import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileEdits, FileLifecycle, HistoryWriter, type File } from '@atrium/files';
import { UNGOVERNED } from '../domain/media-status-flow';
import { StatusFlowsRepository } from '../infrastructure/status-flows.repository';
import { initialOf, stateOf } from './followed-states';
import { StatusEffects } from './status-effects';

/** Files that come to another repository begin again in its flow, with all that its first state means; where none is followed they are active. */
@Injectable()
export class StatusesOfFiles implements OnModuleInit {
  constructor(
    private readonly lifecycle: FileLifecycle,
    private readonly flows: StatusFlowsRepository,
    private readonly edits: FileEdits,
    private readonly history: HistoryWriter,
    private readonly effects: StatusEffects,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({ onMoved: (files) => this.settle(files) });
  }

  private async settle(files: readonly File[]): Promise<void> {
    const [first] = files;
    const flow = first && (await this.flows.findActiveFlows([first.repo_type])).get(first.repo_type);
    const to = flow ? initialOf(flow) : UNGOVERNED;
    const state = flow && stateOf(flow, to);
    const strangers = files.filter(({ file_status }) => file_status !== to).map(({ file_id }) => file_id);
    await this.edits.setStatus(strangers, to);
    await this.history.addEntries(strangers.map((file_id) => ({ file_id, action: 'status_changed', details: { to, moved: true } })));
    if (state)
      await this.effects.notifyEntered({
        file_ids: files.map(({ file_id }) => file_id),
        state,
        from: [...new Set(files.map(({ file_status }) => file_status))],
      });
  }
}
