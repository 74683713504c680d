import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileEdits, FileLifecycle, HistoryWriter, type File } from '@atrium/files';
import { initialOf, UNGOVERNED } from '../domain/media-status-flow';
import { StatusFlowsRepository } from '../infrastructure/status-flows.repository';

/** Files that come to another repository begin anew in its flow; where none is followed they are active. */
@Injectable()
export class StatusesOfFiles implements OnModuleInit {
  constructor(
    private readonly lifecycle: FileLifecycle,
    private readonly flows: StatusFlowsRepository,
    private readonly edits: FileEdits,
    private readonly history: HistoryWriter,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({ onMoved: (files) => this.settle(files) });
  }

  private async settle(files: readonly File[]): Promise<void> {
    const [first] = files;
    const flow = first && (await this.flows.active([first.repo_type])).get(first.repo_type);
    const to = flow ? initialOf(flow) : UNGOVERNED;
    const strangers = files.filter(({ file_status }) => file_status !== to).map(({ file_id }) => file_id);
    await this.edits.enter(strangers, to);
    await this.history.add(strangers.map((file_id) => ({ file_id, action: 'status_changed', details: { to, moved: true } })));
  }
}
