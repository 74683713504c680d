import { startHost } from '../../launch/bundle';

startHost('api');
