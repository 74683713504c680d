import { startHost } from '../../launch/bundle';

startHost('cli');
