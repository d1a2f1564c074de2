import t from 'tap';
import { conformance } from './conformance.ts';
import { grpcBinding } from './support/grpc-binding.ts';

conformance(t, grpcBinding);
