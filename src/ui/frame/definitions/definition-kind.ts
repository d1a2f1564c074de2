import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '../../../client/openapi-types.ts';
import type { PageQuery } from '../records/pages.tsx';
import type { TextProblem } from './create-editor.ts';

/** What a person writes as YAML, with what every kind of it has. */
export interface Definition {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly yaml_content: string;
  readonly version: number;
  readonly updated_at: string | null;
  readonly updated_by?: string | null;
}

/** What is saved of it. */
export interface WrittenDefinition {
  readonly name: string;
  readonly description: string | null;
  readonly yaml_content: string;
}

type Version = components['schemas']['DefinitionVersion'];
export type VersionPages = InfiniteData<VersionPage>;
interface VersionPage {
  readonly result: readonly Version[];
  readonly next_cursor: string | null;
}

/** The versions of a kind that keeps them. */
export interface DefinitionVersions {
  list(id: number, page: PageQuery, signal: AbortSignal): Promise<VersionPage>;
  /** A unified diff to the version before. */
  diff(id: number, version: number, signal: AbortSignal): Promise<string>;
  /** Saves an old text as a new version, where `current` still is the newest. */
  restore(id: number, version: number, current: number): Promise<unknown>;
}

/** How one kind of definition is read, checked and saved. Every failure is an `ApiError`. */
export interface DefinitionKind<T extends Definition> {
  /** Begins the keys of its queries and the names of its drafts; its plural begins those of its lists. */
  readonly noun: 'task' | 'job-template' | 'dashboard-template' | 'dashboard' | `override-${string}`;
  /** Name and description stand beside the text; false: in it. */
  readonly isNamed: boolean;
  /** The published JSON Schema of its text. */
  readonly schema: 'task' | 'job-template' | 'dashboard';
  /** The job template whose connectors its text may name. Default: those that it declares itself. */
  readonly jobTemplateId?: number | undefined;
  /** What a new one begins with. Default: nothing. */
  readonly newText?: string;
  readonly newName?: string;
  read(id: number, signal: AbortSignal): Promise<T>;
  check(text: string): Promise<readonly TextProblem[]>;
  /** Left out where they are made in another way than by writing them. */
  create?(written: WrittenDefinition): Promise<T>;
  /** Status 412: somebody else has saved since `version`. */
  update(id: number, version: number, written: WrittenDefinition): Promise<T>;
}
