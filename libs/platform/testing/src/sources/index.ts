export { busy, cutOff, halfText, ledTo, RowsServer, status, type Fault } from './rows-server';
