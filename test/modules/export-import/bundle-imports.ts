import type { HttpAnswer, TestApp } from '../../support/app.ts';
import type { Refusal } from '../jobs/definitions-app.ts';
import type { PlanBody } from './bundles-app.ts';

export const plan = (test: TestApp, body: object, role: 'editor' | 'admin' = 'admin') =>
  test.as(role).post<PlanBody & Refusal>('/api/import?dry_run=true', body);
export const apply = (test: TestApp, body: object, role: 'editor' | 'admin' = 'admin') =>
  test.as(role).post<PlanBody & Refusal>('/api/import', body);
export async function planned(test: TestApp, body: object): Promise<PlanBody> {
  const answer = await plan(test, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}
/** A plan, and then exactly that. */
export async function imported(test: TestApp, body: object): Promise<HttpAnswer<PlanBody & Refusal>> {
  return apply(test, { ...body, plan_hash: (await planned(test, body)).plan_hash });
}
/** What a plan does, in words. */
export const actions = ({ items }: PlanBody) =>
  items.map(({ kind, name, action }) => `${action} ${kind} ${name}`);

/** A bundle by hand. */
export function bundleOf(parts: {
  tasks?: object[];
  job_templates?: object[];
  connectors?: object[];
}): string {
  return JSON.stringify({ headgate_bundle: 1, ...parts });
}
