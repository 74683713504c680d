export { busy, cutOff, halfText, ledTo, RowsServer, status, type Fault } from './rows-server';
export { SqlDatabase } from './sql-database';
export { TEST_CERTIFICATE, TlsFront } from './tls-front';
