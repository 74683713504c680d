// A PostgreSQL server of the distribution, in a process that a test may leave: says its address, ends with its standard input.
import { distributionPostgres } from '../../tools/postgres/binaries.mjs';
import { startThrowaway } from '../../tools/postgres/throwaway.mjs';

const server = await startThrowaway({ binaries: distributionPostgres(Number(process.argv[2])), inMemory: true });
process.stdout.write(`${server.adminUrl}\n`);
process.stdin.resume();
process.stdin.once('end', () => void server.stop());
