const JOBS_NAMED_MAX = 20;

/** `"nightly" (3), "hourly" (4) and 12 more`: jobs that stand in the way of something. */
export function nameJobs(jobs: readonly { readonly id: number; readonly name: string }[]): string {
  const named = jobs.slice(0, JOBS_NAMED_MAX).map((job) => `"${job.name}" (${job.id})`);
  const more = jobs.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
