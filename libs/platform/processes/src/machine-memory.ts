import { totalmem } from 'node:os';

const MIB = 1024 * 1024;

/** The memory of this machine, or of the container that this process runs in where that has less, in MiB. */
export function ofMachineMib(whole = totalmem(), ofContainer = process.constrainedMemory()): number {
  // 0 where it is not known; more than the machine has where there is no limit.
  return Math.floor((ofContainer > 0 ? Math.min(whole, ofContainer) : whole) / MIB);
}
