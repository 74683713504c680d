import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@atrium/platform/storage';
import type { MalwareScanner, ScanVerdict } from '../domain/malware-scanner';
import { TYPE_HEAD_BYTES, typeByBytes } from '../../inspection/infrastructure';

export interface ReadOrder {
  readonly key: string;
  /** Name and size as known so far: evidence for the type. */
  readonly name: string;
  readonly size: number;
  /** Where a copy goes when the type wants one. */
  readonly folder: string;
  keepsCopy(type: string): boolean;
  /** Inspects the bytes as they pass. */
  readonly scanner?: MalwareScanner;
  readonly signal: AbortSignal;
}

/** What one pass over the bytes determines. */
export interface ReadBytes {
  readonly hash: string;
  readonly size: number;
  readonly type: string;
  /** The local copy, if one was kept. */
  readonly path: string | null;
  /** What the scanner said; null: nothing looked at them. */
  readonly verdict: ScanVerdict | null;
}

/** Reads an object once: its hash, size and type, and a local copy where its type is looked into further. */
@Injectable()
export class BlobReader {
  constructor(private readonly store: ObjectStore) {}

  async readBlob(order: ReadOrder): Promise<ReadBytes> {
    const hash = createHash('sha256');
    const pass = new Pass(order);
    const scan = order.scanner?.active ? await order.scanner.beginScan(order.signal) : null;
    try {
      for await (const chunk of await this.store.get(order.key)) {
        order.signal.throwIfAborted();
        hash.update(chunk as Buffer);
        await pass.readChunk(chunk as Buffer);
        await scan?.scanChunk(chunk as Buffer);
      }
      return { hash: hash.digest('hex'), ...(await pass.end()), verdict: (await scan?.awaitVerdict()) ?? null };
    } finally {
      scan?.close();
      await pass.close();
    }
  }

  /** A local copy of bytes that were read before. */
  async copyToFolder(key: string, folder: string, signal: AbortSignal): Promise<string> {
    const path = join(folder, 'original');
    const file = await open(path, 'w');
    try {
      for await (const chunk of await this.store.get(key)) {
        signal.throwIfAborted();
        await file.writeFile(chunk as Buffer);
      }
    } finally {
      await file.close();
    }
    return path;
  }
}

/** The bytes of one read: held back until enough are there to tell the type, then written on if they are wanted. */
class Pass {
  private head: Buffer[] = [];
  private size = 0;
  private type: string | undefined;
  private file: FileHandle | undefined;
  private readonly path: string;

  constructor(private readonly order: ReadOrder) {
    this.path = join(order.folder, 'original');
  }

  async readChunk(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    if (this.type !== undefined) {
      await this.file?.writeFile(chunk);
      return;
    }
    this.head.push(chunk);
    if (this.size >= TYPE_HEAD_BYTES) await this.decide(Math.max(this.order.size, this.size));
  }

  async end(): Promise<Omit<ReadBytes, 'hash' | 'verdict'>> {
    const type = this.type ?? (await this.decide(this.size));
    return { size: this.size, type, path: this.file ? this.path : null };
  }

  async close(): Promise<void> {
    await this.file?.close();
  }

  private async decide(size: number): Promise<string> {
    const start = Buffer.concat(this.head);
    this.head = [];
    this.type = await typeByBytes({ head: start.subarray(0, TYPE_HEAD_BYTES), name: this.order.name, size });
    if (this.order.keepsCopy(this.type)) {
      this.file = await open(this.path, 'w');
      await this.file.writeFile(start);
    }
    return this.type;
  }
}
