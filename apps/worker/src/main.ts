import { startHost } from '../../launch/bundle';

startHost('worker');
