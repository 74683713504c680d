import { Injectable } from '@nestjs/common';
import type { File } from '../domain/file';
import type { Repository } from '../domain/repositories';

/**
 * Port for contexts that keep rows about files: called inside the transaction that changes the file, so hooks do
 * nothing but talk to it. Register at start; order does not matter.
 */
export interface FileLifecycleHook {
  onCreated?(files: readonly File[]): Promise<void>;
  onReady?(file: File): Promise<void>;
  onVersion?(file: File): Promise<void>;
  /** The files are where they were moved to; all of them came from one repository. */
  onMoved?(files: readonly File[], from: Repository): Promise<void>;
  /** The name is another one. */
  onRenamed?(file: File): Promise<void>;
  onTrashed?(files: readonly File[]): Promise<void>;
  onRestored?(files: readonly File[]): Promise<void>;
  onPurged?(fileIds: readonly string[]): Promise<void>;
}

/** Notifies every registered context of what happens to files. */
@Injectable()
export class FileLifecycle {
  private readonly hooks: FileLifecycleHook[] = [];

  register(hook: FileLifecycleHook): void {
    this.hooks.push(hook);
  }

  async notifyCreated(files: readonly File[]): Promise<void> {
    for (const hook of this.hooks) await hook.onCreated?.(files);
  }

  async notifyReady(file: File): Promise<void> {
    for (const hook of this.hooks) await hook.onReady?.(file);
  }

  async notifyVersion(file: File): Promise<void> {
    for (const hook of this.hooks) await hook.onVersion?.(file);
  }

  async notifyMoved(files: readonly File[], from: Repository): Promise<void> {
    for (const hook of this.hooks) await hook.onMoved?.(files, from);
  }

  async notifyRenamed(file: File): Promise<void> {
    for (const hook of this.hooks) await hook.onRenamed?.(file);
  }

  async notifyTrashed(files: readonly File[]): Promise<void> {
    for (const hook of this.hooks) await hook.onTrashed?.(files);
  }

  async notifyRestored(files: readonly File[]): Promise<void> {
    for (const hook of this.hooks) await hook.onRestored?.(files);
  }

  async notifyPurged(fileIds: readonly string[]): Promise<void> {
    for (const hook of this.hooks) await hook.onPurged?.(fileIds);
  }
}
