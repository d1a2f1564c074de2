import type { FastifySerializerCompiler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { checkedWriter } from './answer-writer.ts';

/** Answers have the declared fields of their schema alone; one that does not fit it is an error of ours, as zod words it. */
export const answerSerializer: FastifySerializerCompiler<z.ZodType> = (route) => {
  const byZod = serializerCompiler(route);
  if (!(route.schema instanceof z.core.$ZodType)) return byZod;
  const write = checkedWriter(route.schema, byZod);
  return (data) => write(data) ?? '';
};
