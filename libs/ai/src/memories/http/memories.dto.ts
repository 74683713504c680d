import { Whole } from '@atrium/platform/database';
import { Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Memory } from '../domain/memory';

export class CreateMemory extends Body(Memory, { required: ['mem_value'], optional: ['mem_type', 'mem_metadata'] }) {}

export class ChangeMemory extends Body(Memory, { optional: ['mem_value', 'mem_type', 'mem_active', 'mem_metadata'] }) {}

export class ListMemories extends ListQuery(Memory) {}

@Answer()
export class MemoryView extends View(Memory) {}

export class MemoryPage extends PageOf(MemoryView) {}

@Answer()
export class ForgottenView {
  @Whole({ about: 'Number of deleted memories.', example: 3 }) deleted!: number;
}
