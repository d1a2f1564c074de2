/**
 * The API as types, from openapi.json by `node test/openapi-generate.ts`; not changed by hand.
 */

export interface paths {
    "/api/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the server still needs its first user
         * @description Needs no credentials.
         */
        get: operations["getSetup"];
        put?: never;
        /**
         * Create the first superadmin, with the one-time token from the console
         * @description Needs no credentials.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * First step: email and password
         * @description Needs no credentials.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Second step: a TOTP code, or a recovery code, which works once
         * @description Needs the cookie that `POST /api/auth/login` sets.
         */
        post: operations["verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in, or whose API key this is
         * @description For signed-in users and API keys of any scope.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session
         * @description For signed-in users, on their own account; not for API keys.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password; ends all your sessions, including this one
         * @description For signed-in users, on their own account; not for API keys.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your sessions
         * @description For signed-in users, on their own account; not for API keys.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description For signed-in users, on their own account; not for API keys.
         */
        delete: operations["deleteOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description For signed-in users, on their own account; not for API keys.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API keys without their tokens, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `api-keys:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; its token is shown once
         * @description Needs the role `viewer`; an API key also needs the scope `api-keys:write`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One API key
         * @description Needs the role `viewer`; an API key also needs the scope `api-keys:read`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key at once
         * @description Needs the role `viewer`; an API key also needs the scope `api-keys:write`.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new token for this key; the previous one stays valid for overlap_seconds
         * @description Needs the role `viewer`; an API key also needs the scope `api-keys:write`.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every scope that an API key can have
         * @description Needs the role `viewer`; an API key also needs the scope `api-keys:read`.
         */
        get: operations["listApiKeyScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Yourself
         * @description For signed-in users, on their own account; not for API keys.
         */
        get: operations["getOwnUser"];
        /**
         * Change your name; only an admin can change email and role
         * @description For signed-in users, on their own account; not for API keys.
         */
        put: operations["updateOwnUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, newest first
         * @description Needs the role `admin`; an API key also needs the scope `users:read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user; admins can only assign roles below their own
         * @description Needs the role `admin`; an API key also needs the scope `users:write`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user
         * @description Needs the role `admin`; an API key also needs the scope `users:read`.
         */
        get: operations["getUser"];
        /**
         * Change a user; changing role or status ends their sessions at once
         * @description Needs the role `admin`; an API key also needs the scope `users:write`.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Delete a user with their sessions and API keys
         * @description Needs the role `admin`; an API key also needs the scope `users:write`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/reset-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the authenticator; the user enrols a new one at the next sign-in
         * @description Needs the role `admin`; an API key also needs the scope `users:write`.
         */
        post: operations["resetUserTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget failed sign-ins, so that the user can sign in again at once
         * @description Needs the role `admin`; an API key also needs the scope `users:write`.
         */
        post: operations["unlockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the password with a generated one, shown once
         * @description Needs the role `admin`; an API key also needs the scope `users:write`.
         */
        post: operations["resetUserPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Saved connectors, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `connectors:read`.
         */
        get: operations["listConnectors"];
        put?: never;
        /**
         * Save a connector; its secrets are stored encrypted
         * @description Needs the role `admin`; an API key also needs the scope `connectors:write`.
         */
        post: operations["createConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One connector, its secrets masked
         * @description Needs the role `viewer`; an API key also needs the scope `connectors:read`.
         */
        get: operations["getConnector"];
        /**
         * Replace a connector; if it moves to another host, every secret must be given again
         * @description Needs the role `admin`; an API key also needs the scope `connectors:write`.
         */
        put: operations["updateConnector"];
        post?: never;
        /**
         * Delete a connector that no job binds
         * @description Needs the role `admin`; an API key also needs the scope `connectors:write`.
         */
        delete: operations["deleteConnector"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{id}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The jobs that bind a connector, newest first, with their last run
         * @description At most 200 jobs. Needs the role `viewer`; an API key also needs the scope `connectors:read`.
         */
        get: operations["listConnectorUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a saved connector; a refused connection answers with `ok` false
         * @description Needs the role `editor`; an API key also needs the scope `connectors:read`.
         */
        post: operations["testConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{id}/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The resources of a connector, or the columns of one resource
         * @description Needs the role `editor`; an API key also needs the scope `connectors:read`.
         */
        post: operations["introspectConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{id}/explore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One page of the rows of a resource, read-only
         * @description Needs the role `editor`; an API key also needs the scope `connectors:read`.
         */
        post: operations["exploreConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{id}/oauth-app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the connector’s integration needs the customer’s own OAuth app
         * @description Needs the role `viewer`; an API key also needs the scope `connectors:read`.
         */
        get: operations["getConnectorOauthApp"];
        /**
         * Set the customer’s OAuth app at the connector’s integration; its secret is never returned
         * @description Needs the role `admin`; an API key also needs the scope `connectors:write`.
         */
        put: operations["putConnectorOauthApp"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Connector types: configuration, methods and their arguments
         * @description Needs the role `viewer`; an API key also needs the scope `connectors:read`.
         */
        get: operations["listConnectorTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a configuration that is not saved
         * @description Needs what saving needs: it connects to any host with any credentials. At most 30 a minute. Needs the role `admin`; an API key also needs the scope `connectors:write`.
         */
        post: operations["testUnsavedConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/explorer-presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The explorer presets of the team and your own, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `explorer-presets:read`.
         */
        get: operations["listExplorerPresets"];
        put?: never;
        /**
         * Save a view of a resource: for the team (editors), or for yourself
         * @description Needs the role `viewer`; an API key also needs the scope `explorer-presets:write`.
         */
        post: operations["createExplorerPreset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/explorer-presets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One explorer preset; only the owner sees a private one
         * @description Needs the role `viewer`; an API key also needs the scope `explorer-presets:read`.
         */
        get: operations["getExplorerPreset"];
        /**
         * Replace an explorer preset
         * @description Needs the role `viewer`; an API key also needs the scope `explorer-presets:write`.
         */
        put: operations["updateExplorerPreset"];
        post?: never;
        /**
         * Delete an explorer preset
         * @description Needs the role `viewer`; an API key also needs the scope `explorer-presets:write`.
         */
        delete: operations["deleteExplorerPreset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Task definitions, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `tasks:read`.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Create a task from YAML
         * @description Needs the role `editor`; an API key also needs the scope `tasks:write`.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One task
         * @description Needs the role `viewer`; an API key also needs the scope `tasks:read`.
         */
        get: operations["getTask"];
        /**
         * Replace the YAML; makes a new version unless nothing changed
         * @description Needs the role `editor`; an API key also needs the scope `tasks:write`.
         */
        put: operations["updateTask"];
        post?: never;
        /**
         * Delete a task that no job pins
         * @description Needs the role `editor`; an API key also needs the scope `tasks:write`.
         */
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a task archived
         * @description Needs the role `editor`; an API key also needs the scope `tasks:write`.
         */
        post: operations["archiveTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a task active
         * @description Needs the role `editor`; an API key also needs the scope `tasks:write`.
         */
        post: operations["activateTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `tasks:read`.
         */
        get: operations["listTaskVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One version
         * @description Needs the role `viewer`; an API key also needs the scope `tasks:read`.
         */
        get: operations["getTaskVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/versions/{version}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The changes of a version, as a unified diff
         * @description Needs the role `viewer`; an API key also needs the scope `tasks:read`.
         */
        get: operations["diffTaskVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an old version the newest
         * @description Needs the role `editor`; an API key also needs the scope `tasks:write`.
         */
        post: operations["restoreTaskVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The jobs that pin a task, each with the version, and the job templates that name it
         * @description At most 200 of each. Needs the role `viewer`; an API key also needs the scope `tasks:read`.
         */
        get: operations["listTaskUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a task’s YAML; reports all problems at once, with line and column
         * @description Needs the role `viewer`; an API key also needs the scope `tasks:read`.
         */
        post: operations["validateTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the steps of a YAML on a few rows; what would be written is told, and nothing is written
         * @description Needs the role `editor`; an API key also needs the scope `tasks:run`.
         */
        post: operations["previewTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Job templates, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `job-templates:read`.
         */
        get: operations["listJobTemplates"];
        put?: never;
        /**
         * Create a job template from YAML
         * @description Needs the role `editor`; an API key also needs the scope `job-templates:write`.
         */
        post: operations["createJobTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One job template with its DAG
         * @description Needs the role `viewer`; an API key also needs the scope `job-templates:read`.
         */
        get: operations["getJobTemplate"];
        /**
         * Replace the YAML; makes a new version unless nothing changed. Jobs keep theirs
         * @description Needs the role `editor`; an API key also needs the scope `job-templates:write`.
         */
        put: operations["updateJobTemplate"];
        post?: never;
        /**
         * Delete a template that has no jobs
         * @description Needs the role `editor`; an API key also needs the scope `job-templates:write`.
         */
        delete: operations["deleteJobTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `job-templates:read`.
         */
        get: operations["listJobTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One version
         * @description Needs the role `viewer`; an API key also needs the scope `job-templates:read`.
         */
        get: operations["getJobTemplateVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/versions/{version}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The changes of a version, as a unified diff
         * @description Needs the role `viewer`; an API key also needs the scope `job-templates:read`.
         */
        get: operations["diffJobTemplateVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an old version the newest
         * @description Needs the role `editor`; an API key also needs the scope `job-templates:write`.
         */
        post: operations["restoreJobTemplateVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a template archived
         * @description Needs the role `editor`; an API key also needs the scope `job-templates:write`.
         */
        post: operations["archiveJobTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a template active
         * @description Needs the role `editor`; an API key also needs the scope `job-templates:write`.
         */
        post: operations["activateJobTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a template’s YAML; reports all problems at once, with line and column
         * @description A warning names a task that does not exist yet, which a job of the template needs, or an argument that nothing reads: the template can be saved. Needs the role `viewer`; an API key also needs the scope `job-templates:read`.
         */
        post: operations["validateJobTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The jobs of a template, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["listJobsOfTemplate"];
        put?: never;
        /**
         * Create a job: a snapshot of the template, its tasks’ versions and its dashboards
         * @description Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recent runs, the success rate and the next time of jobs
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["listJobHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One job with its resolved connectors and its own DAG
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["getJob"];
        /**
         * Change a job’s name, description or connectors; the snapshot stays
         * @description Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        put: operations["updateJob"];
        post?: never;
        /**
         * Delete a job with its runs and dashboards
         * @description Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a job archived
         * @description Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        post: operations["archiveJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a job active
         * @description Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        post: operations["activateJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The runs of a job, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["listRunsOfJob"];
        put?: never;
        /**
         * Run a job now, with its current configuration
         * @description If the template’s `concurrency` has no free slot, `on_conflict` decides: queue (it waits, reason awaiting_slot), skip (it is recorded as cancelled, reason overlap), cancel_running (others are cancelled first), fail (409). Needs the role `operator`; an API key also needs the scope `jobs:run`.
         */
        post: operations["startJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The config schema and the current values
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["getJobConfig"];
        /**
         * Replace the complete configuration
         * @description Needs the role `admin`; an API key also needs the scope `jobs:write`.
         */
        put: operations["replaceJobConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/config/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save one entry; reports all problems at once; affects future runs only
         * @description Needs the role `operator`; an API key also needs the scope `jobs:write`.
         */
        put: operations["saveJobConfigEntry"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/config/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Earlier versions of the configuration, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["listJobConfigHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cursors of a job’s incremental extracts
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["listJobStates"];
        put?: never;
        post?: never;
        /**
         * Forget all cursors: the next run reads everything
         * @description Needs the role `operator`; an API key also needs the scope `jobs:write`.
         */
        delete: operations["forgetJobStates"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/state/{task_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cursors of one task’s incremental extracts
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["getJobTaskState"];
        /**
         * Set the cursor of a step: the next run continues after it
         * @description Needs the role `operator`; an API key also needs the scope `jobs:write`.
         */
        put: operations["setJobTaskState"];
        post?: never;
        /**
         * Forget the cursors of one task: its next run reads everything
         * @description Needs the role `operator`; an API key also needs the scope `jobs:write`.
         */
        delete: operations["forgetJobTaskState"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes since the job pinned its template, tasks and dashboards
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["getJobDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upgrade a job to the current template, tasks and dashboards, all or nothing
         * @description The only operation that changes what a job is pinned to. A dry run shows the plan and what blocks it. Running job runs keep their snapshot. New configuration entries get their defaults; overrides stay over new versions. Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        post: operations["upgradeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/tasks/{key}/override": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The override of a task in a job
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        get: operations["getTaskOverride"];
        /**
         * Override a task’s YAML in a job, for runs started afterwards
         * @description Reports all problems of the YAML at once; the job must bind its connectors. The ETag is the job’s, and its version increases. Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        put: operations["putTaskOverride"];
        post?: never;
        /**
         * Run the pinned version of a task again
         * @description Needs the role `editor`; an API key also needs the scope `jobs:write`.
         */
        delete: operations["deleteTaskOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/config/{key}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One page of options for an entry of the configuration
         * @description Needs the role `viewer`; an API key also needs the scope `jobs:read`.
         */
        post: operations["getJobConfigOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The triggers of a job, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `triggers:read`.
         */
        get: operations["listTriggersOfJob"];
        put?: never;
        /**
         * Schedule a job
         * @description Needs the role `editor`; an API key also needs the scope `triggers:write`.
         */
        post: operations["createTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Triggers, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `triggers:read`.
         */
        get: operations["listTriggers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/triggers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One trigger
         * @description Needs the role `viewer`; an API key also needs the scope `triggers:read`.
         */
        get: operations["getTrigger"];
        /**
         * Change a trigger; keys that are left out keep their value
         * @description If the cron expression, time zone, start or end changes, the next time is the first one from now on; earlier times are not caught up on. A new jitter moves the start of the next time. Enabling it resets the count of failures. Needs the role `editor`; an API key also needs the scope `triggers:write`.
         */
        put: operations["updateTrigger"];
        post?: never;
        /**
         * Delete a trigger; its runs stay
         * @description Needs the role `editor`; an API key also needs the scope `triggers:write`.
         */
        delete: operations["deleteTrigger"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/triggers/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a trigger, from its next time on
         * @description Needs the role `editor`; an API key also needs the scope `triggers:write`.
         */
        post: operations["enableTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/triggers/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a trigger and drop its waiting times
         * @description Needs the role `editor`; an API key also needs the scope `triggers:write`.
         */
        post: operations["disableTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/triggers/{id}/fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the job now, as the trigger would
         * @description Needs the role `operator`; an API key also needs the scope `triggers:run`.
         */
        post: operations["fireTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/triggers/{id}/backfills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The backfills of a trigger with their progress, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `triggers:read`.
         */
        get: operations["listBackfills"];
        put?: never;
        /**
         * Run the past times of a trigger: plan first (dry_run), then submit exactly that plan
         * @description At most 10000 scheduled times, within the trigger’s start_at and end_at. Each is started once, with the configuration of the submission and reason "backfill"; it waits if the template’s `concurrency` has no free slot. Needs the role `operator`; an API key also needs the scope `triggers:run`.
         */
        post: operations["createBackfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/triggers/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The next times of a schedule, in UTC and in its time zone
         * @description Needs the role `viewer`; an API key also needs the scope `triggers:read`.
         */
        post: operations["previewTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backfills/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One backfill with its times, in starting order
         * @description Needs the role `viewer`; an API key also needs the scope `triggers:read`.
         */
        get: operations["getBackfill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backfills/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a backfill: no further times start, running ones continue
         * @description Needs the role `operator`; an API key also needs the scope `triggers:run`.
         */
        post: operations["pauseBackfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backfills/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused backfill
         * @description Needs the role `operator`; an API key also needs the scope `triggers:run`.
         */
        post: operations["resumeBackfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backfills/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a backfill: no further times start, and its job runs are cancelled
         * @description Needs the role `operator`; an API key also needs the scope `triggers:run`.
         */
        post: operations["cancelBackfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Job runs, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One job run with its task runs and the levels of its DAG
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["getJobRun"];
        put?: never;
        post?: never;
        /**
         * Delete a job run that has ended, with its runs, their logs and metrics
         * @description It is gone from every answer at once. Its logs, metrics and other rows are deleted in the background, in small pieces. Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        delete: operations["deleteJobRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-runs/{id}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a finished job run from its start, its failed tasks or one task
         * @description Creates a new job run. Tasks that are not run again keep their earlier outcome (`reused`). With "snapshot" it runs exactly the tasks, connectors and configuration of the old one, with "current" those of the job now. If the template’s `concurrency` has no free slot, `on_conflict` decides: queue (it waits, reason awaiting_slot), skip (it is recorded as cancelled, reason overlap), cancel_running (others are cancelled first), fail (409). Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["rerunJobRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a job run: events status, run (one of its task runs), end
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["streamJobRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel every task run of a job run
         * @description Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["cancelJobRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a task now, standalone
         * @description Needs the role `operator`; an API key also needs the scope `tasks:run`.
         */
        post: operations["startTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One run with its executor, timings and history
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Delete a completed run with its logs and metrics
         * @description It is gone from every answer at once. Its logs, metrics and other rows are deleted in the background, in small pieces. Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a standalone run that has ended again
         * @description Makes a new run. With "snapshot" it runs exactly the text, arguments and connectors of the old one, with "current" the task as it is now. A task of a job run is run again through its job run. Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["rerunRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The steps of the latest attempt that ended, in their order
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listRunSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a run to stop; it ends by itself or after the grace period
         * @description Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Log lines in order; continue with next_cursor as after_seq. A filtered page may hold fewer lines than its limit although more follow
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listRunLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/logs/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The whole log as NDJSON
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["downloadRunLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a run: events log, gap, status, progress, end; resumes after Last-Event-ID
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["streamRunLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/prune": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete job runs and runs that have ended, by age and number
         * @description At most 1000 per call. What is still needed stays: whatever has reruns or replays left, dead letters that are open, a running backfill, or is the last run of a trigger. Logs, metrics and other rows follow in the background. Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["pruneRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows that the runs of a job could not process
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listDeadLettersOfJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/dead-letters/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark open dead letters of a job as settled
         * @description Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["discardDeadLettersOfJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay dead letters of a job
         * @description Starts one run for each task, version and step of the letters. The step that refused the rows gets exactly these, nothing before it runs, and what follows it runs as usual; cursors stay where they are. A letter is `replaying` until its run ends: `replayed` where its row was processed (one that fails again is a new letter, with `replay_of`), `open` again where the run failed before. Refused where a load would replace what it has. At most 10000 letters at once; `left` says how many remain. Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["replayDeadLettersOfJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows that a run could not process
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listDeadLettersOfRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/dead-letters/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark open dead letters of a run as settled
         * @description Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["discardDeadLettersOfRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay dead letters of a run
         * @description Starts one run for each task, version and step of the letters. The step that refused the rows gets exactly these, nothing before it runs, and what follows it runs as usual; cursors stay where they are. A letter is `replaying` until its run ends: `replayed` where its row was processed (one that fails again is a new letter, with `replay_of`), `open` again where the run failed before. Refused where a load would replace what it has. At most 10000 letters at once; `left` says how many remain. Needs the role `operator`; an API key also needs the scope `runs:run`.
         */
        post: operations["replayDeadLettersOfRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows that runs could not process, of all jobs and tasks
         * @description Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters/reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why rows are open dead letters, the most frequent reason first
         * @description Counts the newest 10000 open letters; at most 100 reasons. Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["listDeadLetterReasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job-templates/{id}/dashboard-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The dashboard templates of a job template
         * @description Needs the role `viewer`; an API key also needs the scope `dashboard-templates:read`.
         */
        get: operations["listDashboardTemplates"];
        put?: never;
        /**
         * Add a dashboard template to a job template
         * @description Needs the role `editor`; an API key also needs the scope `dashboard-templates:write`.
         */
        post: operations["createDashboardTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One dashboard template
         * @description Needs the role `viewer`; an API key also needs the scope `dashboard-templates:read`.
         */
        get: operations["getDashboardTemplate"];
        /**
         * Replace the YAML; dashboards of jobs keep theirs until you push it
         * @description Needs the role `editor`; an API key also needs the scope `dashboard-templates:write`.
         */
        put: operations["updateDashboardTemplate"];
        post?: never;
        /**
         * Delete a dashboard template; the dashboards of jobs stay
         * @description Their `dashboard_template_id` becomes null: they are no longer linked. They keep `template_version` and `modified`. Needs the role `editor`; an API key also needs the scope `dashboard-templates:write`.
         */
        delete: operations["deleteDashboardTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard-templates/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a dashboard template archived
         * @description Needs the role `editor`; an API key also needs the scope `dashboard-templates:write`.
         */
        post: operations["archiveDashboardTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard-templates/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a dashboard template active
         * @description Needs the role `editor`; an API key also needs the scope `dashboard-templates:write`.
         */
        post: operations["activateDashboardTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard-templates/{id}/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snapshot the template onto its linked dashboards again: onto all of them, or none
         * @description Needs the role `editor`; an API key also needs the scope `dashboard-templates:write`.
         */
        post: operations["pushDashboardTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard-templates/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a dashboard’s YAML; reports all problems at once
         * @description Needs the role `viewer`; an API key also needs the scope `dashboard-templates:read`.
         */
        post: operations["validateDashboardTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The dashboards of a job
         * @description Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        get: operations["listDashboardsOfJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Dashboards, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        get: operations["listDashboards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One dashboard with its normalized document
         * @description Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        get: operations["getDashboard"];
        /**
         * Replace a dashboard’s YAML
         * @description Needs the role `editor`; an API key also needs the scope `dashboards:write`.
         */
        put: operations["updateDashboard"];
        post?: never;
        /**
         * Delete a dashboard and its share link
         * @description Needs the role `editor`; an API key also needs the scope `dashboards:write`.
         */
        delete: operations["deleteDashboard"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/widgets/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The data of several widgets; one that fails reports it inline
         * @description Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        post: operations["getWidgetsData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/widgets/{widget_id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The data of one widget
         * @description Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        get: operations["getWidgetData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/widgets/{widget_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A page of a table or an explorer
         * @description Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        post: operations["getWidgetRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/widgets/{widget_id}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A page of options of a form, a field mapping or the input of an action
         * @description Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        post: operations["getWidgetOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/widgets/{widget_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A table or an explorer as a file
         * @description At most 1,000,000 rows. The file is sent while it is read: a failure on the way ends the connection before the end of the answer, so that what arrived is known to be cut. Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        get: operations["exportWidget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/widgets/{widget_id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save, or only check, what a form or a field mapping was filled in with; for future runs only
         * @description Needs the role `operator`; an API key also needs the scope `jobs:write`.
         */
        post: operations["submitWidget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/widgets/{widget_id}/action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use an action: start its job or task, or make its connector call
         * @description The call is made once, and never again by itself. While the action cools down: 429 with `Retry-After`. Needs the role `operator`; an API key also needs the scope `jobs:run`.
         */
        post: operations["runWidgetAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current share link
         * @description Needs the role `editor`; an API key also needs the scope `dashboards:write`.
         */
        get: operations["getShare"];
        put?: never;
        /**
         * Create the public share link, or return the current one
         * @description Needs the role `editor`; an API key also needs the scope `dashboards:write`.
         */
        post: operations["shareDashboard"];
        /**
         * Revoke the share link
         * @description Needs the role `editor`; an API key also needs the scope `dashboards:write`.
         */
        delete: operations["revokeShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/share/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new link; the old one is dead at once
         * @description Needs the role `editor`; an API key also needs the scope `dashboards:write`.
         */
        post: operations["rotateShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a dashboard’s YAML; all problems at once
         * @description With `vars` as a job would snapshot it; without, its variables stay as they stand. Needs the role `viewer`; an API key also needs the scope `dashboards:read`.
         */
        post: operations["validateDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A shared dashboard as strangers may see it
         * @description Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        get: operations["getPublicDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}/widgets/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The data of a shared dashboard’s widgets
         * @description Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        post: operations["getPublicWidgetsData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a link that has a password: sets a cookie for 12 hours
         * @description Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        post: operations["unlockPublicDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}/widgets/{widget_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A page of a shared table or explorer
         * @description Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        post: operations["getPublicWidgetRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}/widgets/{widget_id}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A page of options of a shared form, mapping or action
         * @description Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        post: operations["getPublicWidgetOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}/widgets/{widget_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A shared table or explorer as a file
         * @description As `exportWidget`: a failure on the way ends the connection, so that what arrived is known to be cut. Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        get: operations["exportPublicWidget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}/widgets/{widget_id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save, or only check, a shared form or field mapping
         * @description Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        post: operations["submitPublicWidget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/dashboards/{token}/widgets/{widget_id}/action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use an action of a shared dashboard
         * @description Needs the token of a share link and, if that has a password, the cookie set by `unlock`.
         */
        post: operations["runPublicWidgetAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Webhooks, newest first
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook; its secret is shown once
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:read`.
         */
        get: operations["getWebhook"];
        /**
         * Change a webhook; keys that are left out keep their value
         * @description Disabling a webhook fails its pending deliveries; they can be redelivered later. Needs the role `admin`; an API key also needs the scope `webhooks:write`.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook and its deliveries
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new secret, shown once; the previous one also signs for overlap_seconds
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The deliveries of a webhook, newest first
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery, with its body and the answer
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test event, in the same way as any event
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again, with the same webhook-id
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:write`.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend failed deliveries, the oldest 1000 first
         * @description Needs the role `admin`; an API key also needs the scope `webhooks:write`.
         */
        post: operations["redeliverFailedWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The measurements of a run
         * @description Needs the role `viewer`; an API key also needs the scope `metrics:read`.
         */
        get: operations["getRunMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The metrics backends of this server, newest first
         * @description Needs the role `viewer`; an API key also needs the scope `metrics:read`.
         */
        get: operations["listMetricsConfigs"];
        put?: never;
        /**
         * Add a metrics backend
         * @description localdb and serverdb are opened once to check them; statsd and http are not, since nothing answers there. Needs the role `admin`; an API key also needs the scope `metrics:write`.
         */
        post: operations["createMetricsConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics/config/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One metrics backend
         * @description Needs the role `viewer`; an API key also needs the scope `metrics:read`.
         */
        get: operations["getMetricsConfig"];
        /**
         * Change a metrics backend; keys that are left out keep their value
         * @description Needs the role `admin`; an API key also needs the scope `metrics:write`.
         */
        put: operations["updateMetricsConfig"];
        post?: never;
        /**
         * Remove a metrics backend; its stored points stay where they are
         * @description Needs the role `admin`; an API key also needs the scope `metrics:write`.
         */
        delete: operations["deleteMetricsConfig"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics/data/timeseries/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Results of a task per day; days without results are left out
         * @description Needs the role `viewer`; an API key also needs the scope `metrics:read`.
         */
        get: operations["getMetricsTimeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics/data/summary/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Totals, durations, steps and connectors of a task
         * @description Needs the role `viewer`; an API key also needs the scope `metrics:read`.
         */
        get: operations["getMetricsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export definitions as a bundle: YAML, or a zip with a file for each
         * @description By name, without ids, versions, times and secrets; the same definitions give the same bytes. An API key also needs the scope `<resource>:read` for everything in the bundle. Needs the role `viewer`; an API key also needs the scope `export:read`.
         */
        post: operations["exportBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a bundle: plan first, then apply exactly that plan or nothing
         * @description With `dry_run`, returns the plan for each definition and changes nothing. Without, it needs the `plan_hash` of a dry run, and fails with 409 if the bundle, the options or the existing definitions have changed since. The body may also be the bundle itself (`application/yaml`, `application/zip`), with the options in the query. Jobs keep what they pin. Connectors that are here are never changed. An API key needs the scope `<resource>:write` of everything that the bundle holds besides; connectors are made by admins. Needs the role `editor`; an API key also needs the scope `import:write`.
         */
        post: operations["importBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which model writes tasks, and whether it is configured
         * @description Needs the role `viewer`; an API key also needs the scope `ai:read`.
         */
        get: operations["getAiStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/generate-task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a model write or change a task
         * @description The task has passed the validator of `POST /api/tasks`; it is not saved. If the model gives no valid task in 3 attempts, the answer is `UNPROCESSABLE`, with the problems of the last attempt in `details`; its YAML is only in the `delta` events of a stream. `CONNECTOR_ERROR`: the provider refuses, fails, or does not answer in time; with `Retry-After` where the provider says when to try again. With `stream` the answer is `text/event-stream`, once the request is found valid: `progress {attempt, phase}` (generating, validating, repairing), `delta {attempt, text}`, `problems {attempt, problems}`, and at the end `result` (the answer as above) or `error {error, message, details, retry_after_seconds}`. A client that leaves ends the question to the provider. An API key needs `connectors:read` besides to name connectors, and `tasks:read` to name a task. Needs the role `editor`; an API key also needs the scope `ai:run`.
         */
        post: operations["generateTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reference texts for the model, newest first; without their content
         * @description Needs the role `viewer`; an API key also needs the scope `ai-references:read`.
         */
        get: operations["listAiReferences"];
        put?: never;
        /**
         * Save a text for the model: conventions, tables, examples
         * @description Needs the role `editor`; an API key also needs the scope `ai-references:write`.
         */
        post: operations["createAiReference"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/references/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One reference, with its content
         * @description Needs the role `viewer`; an API key also needs the scope `ai-references:read`.
         */
        get: operations["getAiReference"];
        /**
         * Replace a reference
         * @description Needs the role `editor`; an API key also needs the scope `ai-references:write`.
         */
        put: operations["updateAiReference"];
        post?: never;
        /**
         * Delete a reference
         * @description Needs the role `editor`; an API key also needs the scope `ai-references:write`.
         */
        delete: operations["deleteAiReference"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every change, newest first
         * @description Needs the role `admin`; an API key also needs the scope `audit:read`.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/branding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public branding
         * @description Needs no credentials.
         */
        get: operations["getBranding"];
        /**
         * Replace the branding; keys that are left out are reset to their defaults
         * @description Needs the role `admin`; an API key also needs the scope `branding:write`.
         */
        put: operations["replaceBranding"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/executor-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Executor keys by fingerprint, newest first
         * @description Needs the role `superadmin`; an API key also needs the scope `server:read`.
         */
        get: operations["listExecutorKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/executor-keys/{fingerprint}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an executor key for good, on every server
         * @description Sessions and streams opened with it end within seconds. The last valid key of the server that handles the call cannot be revoked. Revoking a revoked key changes nothing. Needs the role `superadmin`; an API key also needs the scope `server:write`.
         */
        post: operations["revokeExecutorKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Version, store, pools and limits
         * @description Needs the role `admin`; an API key also needs the scope `server:read`.
         */
        get: operations["getServerInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/executors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Executors, last seen first
         * @description Needs the role `viewer`; an API key also needs the scope `server:read`.
         */
        get: operations["listExecutors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What runs, what failed and is not well again, what is late, the queue and the newest dead letters
         * @description Each list has at most 10 entries, that of dead letters 5. Needs the role `viewer`; an API key also needs the scope `runs:read`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings that can be changed while the servers run
         * @description Needs the role `superadmin`; an API key also needs the scope `server:read`.
         */
        get: operations["getServerConfig"];
        /**
         * Change settings; keys that are left out keep their value
         * @description You can send back the answer of the GET, changed or not. `********` keeps a secret. Settings of the environment or `headgate.yaml` win, and are refused here. All servers apply a change at once, without a restart. A new `ai.base_url` or `ai.provider` needs `ai.api_key` again. Needs the role `superadmin`; an API key also needs the scope `server:write`.
         */
        put: operations["updateServerConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schemas/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema (2020-12) of a YAML document, for editors
         * @description Needs no credentials.
         */
        get: operations["getSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness of the process
         * @description Needs no credentials.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness, component by component
         * @description Needs no credentials.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The server’s own metrics in the Prometheus text format
         * @description With the API key of a viewer; from this machine also without. Needs the role `viewer`; an API key also needs the scope `metrics:read`. From this machine itself, as `localhost`, nothing is needed.
         */
        get: operations["getPrometheusMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executors/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an executor
         * @description The same name and instance keep their id and get a new session token. Needs the executor key.
         */
        post: operations["registerExecutor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deregister an executor; its runs return to the queue at once
         * @description Needs the executor key.
         */
        delete: operations["deregisterExecutor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executors/{id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew all leases that an executor holds
         * @description Also reattaches leases after an interruption. Needs the executor key.
         */
        post: operations["heartbeatExecutor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executors/{id}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait for work and cancels
         * @description Answers as soon as there is either, or with nothing when the time is up. A newer request of the same executor ends this one. An assignment that is not started in time returns to the queue. Needs the executor key.
         */
        post: operations["nextAssignments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executors/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign no more work to an executor
         * @description Needs the executor key.
         */
        post: operations["drainExecutor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run has begun
         * @description Needs the executor key.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the progress of a step
         * @description Needs the executor key.
         */
        post: operations["reportRunProgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run has ended; accepted exactly once
         * @description Needs the executor key.
         */
        post: operations["completeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Append log lines; what is acknowledged is durable
         * @description May be sent with `Content-Encoding: gzip`. Lines at or below `acked_seq` are ignored, so a batch may be sent again. Needs the executor key.
         */
        post: operations["appendRunLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store failed items
         * @description Needs the executor key.
         */
        post: operations["putRunDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/spec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a run has to do, with the secrets of its connectors
         * @description Needs the newest lease. Needs the executor key.
         */
        get: operations["getRunSpec"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/replay-rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rows of a run that replays dead letters, page by page; empty after the last
         * @description Needs the executor key.
         */
        get: operations["listReplayRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/runs/{id}/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A checkpoint of the run’s job
         * @description Needs the executor key.
         */
        get: operations["getRunCheckpoint"];
        put?: never;
        /**
         * Save a checkpoint, unless another has been saved since
         * @description Needs the executor key.
         */
        post: operations["saveRunCheckpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executor-callbacks/metrics/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store measurements through the enabled backends
         * @description May be sent with `Content-Encoding: gzip`. The batch of a run needs the executor’s session. Names and tags have at most 200 characters, and a metric at most 32 tags; a batch beyond that is refused whole. Needs the executor key.
         */
        post: operations["ingestMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "id": 2,
         *       "name": "Naming of tables",
         *       "description": null,
         *       "content_chars": 54,
         *       "tags": [
         *         "warehouse"
         *       ],
         *       "enabled": true,
         *       "version": 1,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z",
         *       "updated_by": "ada@example.com",
         *       "content": "Tables of the warehouse are plural, in the schema raw."
         *     }
         */
        AiReference: {
            id: number;
            name: string;
            description: string | null;
            content_chars: number;
            tags: string[];
            enabled: boolean;
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
            content: string;
        };
        /**
         * @example {
         *       "id": 2,
         *       "name": "Naming of tables",
         *       "description": null,
         *       "content_chars": 54,
         *       "tags": [
         *         "warehouse"
         *       ],
         *       "enabled": true,
         *       "version": 1,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z",
         *       "updated_by": "ada@example.com"
         *     }
         */
        AiReferenceHead: {
            id: number;
            name: string;
            description: string | null;
            content_chars: number;
            tags: string[];
            enabled: boolean;
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
        };
        /**
         * @example {
         *       "configured": true,
         *       "provider": "openai",
         *       "model": "llama3.3",
         *       "base_url_host": "127.0.0.1:11434",
         *       "max_tokens": 16000,
         *       "timeout_seconds": 120
         *     }
         */
        AiStatus: {
            /** @description Whether `ai.api_key` is set */
            configured: boolean;
            /** @enum {string} */
            provider: "openai" | "anthropic";
            model: string;
            base_url_host: string;
            max_tokens: number;
            timeout_seconds: number;
        };
        ApiKey: {
            id: number;
            name: string;
            prefix: string;
            scopes: string[];
            expires_at: string | null;
            /** @description Until when the token before the last rotation is valid; null: it is not */
            previous_expires_at: string | null;
            last_used_at: string | null;
            created_at: string;
            user_id: number;
        };
        /**
         * @example {
         *       "lease": {
         *         "run_id": 7,
         *         "attempt": 1,
         *         "epoch": 3,
         *         "token": "d41c6f0b9a2e4877"
         *       },
         *       "lease_ttl_ms": 30000,
         *       "task_name": "sync_orders"
         *     }
         */
        Assignment: {
            lease: components["schemas"]["Lease"];
            lease_ttl_ms: number;
            task_name: string;
        };
        AuditLog: {
            id: number;
            at: string;
            actor_type: string;
            actor_id: number | null;
            actor_name: string;
            action: string;
            resource_type: string;
            resource_id: string | null;
            diff: unknown;
            address: string | null;
            request_id: string | null;
            outcome: string;
        };
        Backfill: {
            id: number;
            job_id: number;
            trigger_id: number;
            from: string;
            to: string;
            /** @enum {string} */
            reprocess: "missed" | "failed" | "all";
            /** @enum {string} */
            order: "oldest_first" | "newest_first";
            max_active: number;
            config_override: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            status: "running" | "paused" | "cancelled" | "completed";
            /** @description Why it was paused automatically */
            problem: string | null;
            total: number;
            progress: {
                pending: number;
                active: number;
                success: number;
                warning: number;
                error: number;
                cancelled: number;
                deleted: number;
            };
            created_at: string;
            created_by: string;
            ended_at: string | null;
        };
        BackfillDetail: {
            id: number;
            job_id: number;
            trigger_id: number;
            from: string;
            to: string;
            /** @enum {string} */
            reprocess: "missed" | "failed" | "all";
            /** @enum {string} */
            order: "oldest_first" | "newest_first";
            max_active: number;
            config_override: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            status: "running" | "paused" | "cancelled" | "completed";
            /** @description Why it was paused automatically */
            problem: string | null;
            total: number;
            progress: {
                pending: number;
                active: number;
                success: number;
                warning: number;
                error: number;
                cancelled: number;
                deleted: number;
            };
            created_at: string;
            created_by: string;
            ended_at: string | null;
            times: {
                scheduled_for: string;
                job_run_id: number | null;
                /** @description Status of the job run */
                status: string | null;
            }[];
            next_cursor: string | null;
        };
        BackfillPlan: {
            /** @description Submit it to start exactly this plan */
            plan_id: string;
            total: number;
            times: {
                scheduled_for: string;
                /** @description "none", the status of the newest job run, the trigger’s skipped, waiting or failed, or pending: the trigger itself or another backfill will handle it */
                outcome: string;
                job_run_id: number | null;
            }[];
            /** @description Only the first 200 times are shown */
            truncated: boolean;
            warnings: string[];
        };
        Branding: {
            /** @description Up to 60 characters */
            product_name: string;
            logo_url: string | null;
            favicon_url: string | null;
            /** @description `#rgb` or `#rrggbb`; adjusted to be readable in both themes */
            primary_color: string | null;
            support_url: string | null;
        };
        /** @default {} */
        CancelBackfillBody: {
            /**
             * @description Also cancel its running job runs
             * @default true
             */
            cancel_runs?: boolean;
        };
        /** @default {} */
        CancelJobRunBody: {
            /**
             * @default graceful
             * @enum {string}
             */
            mode?: "graceful" | "force";
            /** @default 30 */
            grace_seconds?: number;
        };
        /** @default {} */
        CancelRunBody: {
            /**
             * @default graceful
             * @enum {string}
             */
            mode?: "graceful" | "force";
            /** @default 30 */
            grace_seconds?: number;
        };
        ChangePasswordBody: {
            current: string;
            /** @example correct horse battery staple */
            new: string;
        };
        CompleteRunBody: {
            lease: components["schemas"]["LeaseInput"];
            /** @enum {string} */
            status: "success" | "warning" | "error" | "cancelled" | "skipped";
            reason: string;
            failure: {
                code: string;
                message: string;
                step_id: string;
            } | null;
            rows_in: number;
            rows_out: number;
            rows_failed: number;
            rows_skipped: number;
            /** @default 0 */
            rows_filtered?: number;
            /** @default 0 */
            rows_deleted?: number;
            /** @description The log is complete when this much is acknowledged */
            last_log_seq: number;
            steps: {
                step_id: string;
                kind: string;
                /** @enum {string} */
                status: "success" | "warning" | "error" | "cancelled" | "skipped";
                rows_in: number;
                rows_out: number;
                rows_failed: number;
                rows_skipped: number;
                /** @default 0 */
                rows_filtered?: number;
                /** @default 0 */
                rows_deleted?: number;
                /** @description Milliseconds since 1970 */
                started_at: number;
                /** @description Milliseconds since 1970 */
                ended_at: number;
                attempts: number;
                /** @description Empty if there is none */
                error: string;
                /**
                 * @description What an extract with a cursor has read
                 * @default null
                 */
                cursor?: {
                    from: unknown;
                    to: unknown;
                } | null;
            }[];
            retryable: boolean;
            /**
             * @description What the task received, with defaults; null if it is not known
             * @default null
             */
            args?: {
                [key: string]: unknown;
            } | null;
            outputs?: unknown;
        };
        /**
         * @example {
         *       "id": 3,
         *       "name": "warehouse",
         *       "type": "postgres",
         *       "description": null,
         *       "config": {
         *         "host": "db.example.com",
         *         "database": "warehouse",
         *         "user": "etl",
         *         "password": "********"
         *       },
         *       "version": 1,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z",
         *       "updated_by": "ada@example.com"
         *     }
         */
        Connector: {
            id: number;
            name: string;
            type: string;
            description: string | null;
            /** @description As the type’s schema says. Secrets read as "********"; writing that keeps the stored value. */
            config: {
                [key: string]: unknown;
            };
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
        };
        /**
         * @example {
         *       "ok": true,
         *       "message": "PostgreSQL 18.4",
         *       "duration_ms": 12
         *     }
         */
        ConnectorTest: {
            ok: boolean;
            message: string;
            duration_ms: number;
        };
        ConnectorType: {
            type: string;
            title: string;
            /** @description JSON Schema (2020-12) */
            config: {
                [key: string]: unknown;
            };
            secrets: string[];
            capabilities: {
                write: string[];
                introspect: boolean;
            };
            methods: {
                name: string;
                summary: string;
                kind: string;
                read_only: boolean;
                /** @description JSON Schema (2020-12) */
                args: {
                    [key: string]: unknown;
                };
            }[];
        };
        ConnectorUse: {
            /** @description The job */
            id: number;
            name: string;
            /** @enum {string} */
            status: "active" | "archived";
            /** @description The connector’s names in the job */
            bound_as: string[];
            /** @description The newest job run */
            last_run: {
                id: number;
                status: string;
                created_at: string;
            } | null;
        };
        CreateAiReferenceBody: {
            name: string;
            description?: string | null;
            /** @description The text for the model, at most 65,536 characters */
            content: string;
            tags?: string[];
            /** @description Whether the model gets it by default; true if left out */
            enabled?: boolean;
        };
        CreateApiKeyBody: {
            name: string;
            /**
             * @default [
             *       "*"
             *     ]
             */
            scopes?: string[];
            /** @default null */
            expires_at?: string | null;
        };
        CreateBackfillBody: {
            /**
             * Format: date-time
             * @description Inclusive
             */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive; not in the future
             */
            to: string;
            /**
             * @description missed: nothing has run for the time; failed: its newest run failed or was cancelled; all
             * @default missed
             * @enum {string}
             */
            reprocess?: "missed" | "failed" | "all";
            /**
             * @default oldest_first
             * @enum {string}
             */
            order?: "oldest_first" | "newest_first";
            /**
             * @description Job runs at the same time
             * @default 1
             */
            max_active?: number;
            /**
             * @description Overrides the job’s configuration for these runs; maps are merged
             * @default null
             */
            config_override?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Only make the plan
             * @default false
             */
            dry_run?: boolean;
            /** @description From a dry run: apply exactly that plan, or fail with 409 */
            plan_id?: string;
        };
        CreateConnectorBody: {
            name: string;
            type: string;
            description?: string | null;
            /** @description As the type’s schema says. Secrets read as "********"; writing that keeps the stored value. */
            config: {
                [key: string]: unknown;
            };
        };
        CreateDashboardTemplateBody: {
            name: string;
            description?: string | null;
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/dashboard](/api/schemas/dashboard). All keys, with examples: `docs/reference/dashboard.md` of the package
             * @example dashboard:
             *       title: Orders
             *       refresh_interval_seconds: 30
             *       widgets:
             *         - { id: title, type: heading, text: What was sold }
             *         - id: by_day
             *           type: bar_chart
             *           title: Revenue by day
             *           connector: warehouse
             *           method: query
             *           args: { sql: "SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1" }
             *           x_expr: item.day
             *           series: [{ label: Revenue, value_expr: item.revenue }]
             *         - { id: run, type: task_progress, task_key: orders, title: The newest run }
             */
            yaml_content: string;
        };
        CreateExplorerPresetBody: {
            name: string;
            description?: string | null;
            connector_id: number;
            /** @description A table, file or entity, as introspection names it */
            resource: string;
            /** @description In this order; empty or left out: all columns */
            columns?: string[];
            /** @description `{"age": {"gte": 18}, "name": "Ada"}`; operators eq, ne, gt, gte, lt, lte, in, contains, is_null */
            filter?: {
                [key: string]: unknown;
            };
            /** @description `name` ascending, `-name` descending */
            sort?: string[];
            /** @enum {string} */
            visibility: "team" | "private";
        };
        CreateJobBody: {
            name: string;
            description?: string | null;
            connector_mapping: {
                [key: string]: number;
            };
        };
        CreateJobTemplateBody: {
            name: string;
            description?: string | null;
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/job-template](/api/schemas/job-template). All keys, with examples: `docs/reference/job-template.md` of the package
             * @example version: 1
             *     name: orders
             *     description: A shop's orders, every night
             *     connectors:
             *       file: { type: csv }
             *       warehouse: { type: postgres }
             *     job_config:
             *       filter:
             *         type: form
             *         title: What is imported
             *         fields:
             *           - { key: leave_out_cancelled, label: Leave out cancelled orders, type: boolean, default: true }
             *     tasks:
             *       orders: { task: load_orders }
             *       totals: { task: sum_up_orders, needs: [orders] }
             */
            yaml_content: string;
        };
        CreateMetricsConfigBody: {
            /** @enum {string} */
            backend: "noop" | "localdb" | "statsd" | "http" | "serverdb";
            /** @description Default: the backend */
            name?: string;
            /** @description Keys by backend. noop: none. localdb: path, retention_days. statsd: host, port, prefix, tags, tag_format (datadog or none), buffer_bytes, flush_ms. http: url, key. serverdb: url (without it, the database of the server’s own state), retention_days. Secrets (key of http, url of serverdb) read as "********"; writing that keeps the stored value. */
            config?: {
                [key: string]: unknown;
            };
            /** @description Default true */
            enabled?: boolean;
        };
        CreateTaskBody: {
            /** @description Default: the name in the YAML */
            name?: string;
            description?: string | null;
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/task](/api/schemas/task). All keys, with examples: `docs/language/README.md` of the package
             * @example version: 1
             *     name: load_orders
             *     description: Orders from a CSV file into PostgreSQL
             *     connectors:
             *       file: { type: csv }
             *       warehouse: { type: postgres }
             *     retry: { max_attempts: 3, delay: 5s }
             *     steps:
             *       - { id: read, kind: extract, connector: file, method: read }
             *       - id: shape
             *         kind: transform
             *         input: read
             *         ops:
             *           - cast: { order_id: integer, quantity: integer, unit_price: number }
             *           - filter: item.status != 'cancelled'
             *           - set: { amount: "$round(item.quantity * item.unit_price, 2)" }
             *         on_error: { action: dead_letter, max_error_rate: 0.05 }
             *       - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }
             */
            yaml_content: string;
        };
        CreateTriggerBody: {
            /** @description Five fields, or a nickname such as "@daily" */
            cron: string;
            /** @description Default: the cron expression */
            name?: string;
            /** @description An IANA time zone name; default UTC */
            timezone?: string;
            /** @description Default true */
            enabled?: boolean;
            /**
             * @description While a run of the job is running: skip the time (default), queue_one or queue_all of them, cancel_running (it is cancelled, reason overlap, and the newest time starts after it), or allow one more run
             * @enum {string}
             */
            overlap?: "skip" | "queue_one" | "queue_all" | "cancel_running" | "allow";
            /**
             * @description Times missed while no server was running: run none (default), the latest, or all
             * @enum {string}
             */
            catchup?: "none" | "latest" | "all";
            /**
             * @description A duration such as "6h": times missed longer ago are never caught up on; null: whatever their age (default)
             * @example 6h
             */
            catchup_window?: string | null;
            /** @description The longest delay of a run after its scheduled time, so that not all start at once; the actual delay is fixed for each trigger and time, and ends before the next time. scheduled_for stays the scheduled time. Default 0 */
            jitter_seconds?: number;
            /**
             * @description Inclusive start of the schedule; null: no bound (default)
             * @example 2026-01-15T00:00:00Z
             */
            start_at?: string | null;
            /**
             * @description Exclusive end of the schedule; null: no bound (default)
             * @example 2030-12-31T00:00:00Z
             */
            end_at?: string | null;
            /** @description Disable it after this many failed scheduled runs in a row; null: never (default) */
            pause_after_failures?: number | null;
        };
        CreateUserBody: {
            /** Format: email */
            email: string;
            name: string;
            /**
             * @default viewer
             * @enum {string}
             */
            role?: "viewer" | "operator" | "editor" | "admin" | "superadmin";
            /**
             * @description A first password; the user enrols a TOTP authenticator at the first sign-in
             * @example correct horse battery staple
             */
            password: string;
        };
        CreateWebhookBody: {
            name: string;
            /**
             * @description http or https, without user name and password
             * @example https://alerts.example.com/headgate
             */
            url: string;
            /** @description The kinds of event, or "*" for all, including future ones */
            events: "*" | ("job_run.succeeded" | "job_run.failed" | "run.failing" | "run.recovered" | "trigger.paused")[];
            description?: string | null;
            /**
             * @description Only events of these jobs; null: of all
             * @example null
             */
            job_ids?: number[] | null;
            /** @description Default true */
            enabled?: boolean;
        };
        Dag: {
            tasks: {
                [key: string]: unknown;
            };
            levels: string[][];
        };
        DashboardDetail: {
            id: number;
            job_id: number;
            dashboard_template_id: number | null;
            name: string;
            description: string | null;
            yaml_content: string;
            /** @description The template’s, when it was snapshotted last */
            template_version: number | null;
            /** @description Whether the YAML is another than the one that was snapshotted; null where that is not known */
            modified: boolean | null;
            shared: boolean;
            share_expires_at: string | null;
            share_has_password: boolean;
            version: number;
            created_at: string;
            updated_at: string;
            document: {
                [key: string]: unknown;
            };
        };
        DashboardPushItem: {
            dashboard_id: number;
            job_id: number;
            job_name: string;
            name: string;
            /** @enum {string} */
            action: "update" | "unchanged" | "invalid";
            /** @description True: changes that were made to this dashboard alone are lost; null: that is not known */
            modified: boolean | null;
            from_version: number | null;
            to_version: number;
            /** @description Unified diff from the dashboard’s YAML to the template’s */
            diff: string;
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
        };
        DashboardTemplate: {
            id: number;
            job_template_id: number;
            name: string;
            description: string | null;
            yaml_content: string;
            /** @enum {string} */
            status: "active" | "archived";
            version: number;
            created_at: string;
            updated_at: string | null;
        };
        DashboardTemplateDetail: {
            id: number;
            job_template_id: number;
            name: string;
            description: string | null;
            yaml_content: string;
            /** @enum {string} */
            status: "active" | "archived";
            version: number;
            created_at: string;
            updated_at: string | null;
            linked_dashboard_count: number;
        };
        DeadLetter: {
            id: number;
            run_id: number;
            job_id: number | null;
            attempt: number;
            step_id: string;
            /** @description The task of the step, if a `run_task` step runs it; null: the task of the run */
            task: string | null;
            item: unknown;
            code: string;
            message: string;
            /** @enum {string} */
            status: "open" | "replaying" | "replayed" | "discarded";
            /** @description The run that replayed the row last */
            replay_run_id: number | null;
            /** @description The corrected row that was replayed instead of `item`; null if there was none */
            replay_item: unknown;
            /** @description The dead letter whose row failed here again */
            replay_of: number | null;
            /** @description Where the row came from, as far as known: `file`, `line` on which the record begins, `record` (its number), `key`, `cursor` */
            origin: {
                [key: string]: unknown;
            } | null;
            /** @description The column that did not fit; null if no single one is at fault */
            column: string | null;
            /** @description The value that did not fit; null if no single column is at fault */
            value: unknown;
            created_at: string;
        };
        DeadLetterReason: {
            job_id: number | null;
            job_name: string | null;
            /** @description The run, if it is of a task alone; null: all runs of the job */
            run_id: number | null;
            code: string;
            /** @description Open letters with this code */
            open: number;
            /** @description Of the newest one */
            message: string;
            newest_at: string;
        };
        DeadLetterReplay: {
            runs: components["schemas"]["Run"][];
            /** @description Dead letters that these runs replay */
            replaying: number;
            /** @description Open dead letters, with `code` only those, that are left for the next call */
            left: number;
        };
        DefinitionVersion: {
            version: number;
            yaml_content: string;
            created_at: string;
            created_by: string | null;
        };
        DeleteOtherSessionsAnswer: {
            ended: number;
        };
        DeregisterExecutorAnswer: {
            /** @description Leases that were returned */
            requeued: number;
        };
        DiscardDeadLettersOfJobAnswer: {
            discarded: number;
        };
        DiscardDeadLettersOfJobBody: {
            /** @description Default: all open ones */
            ids?: number[];
            /** @description Only those with this code */
            code?: string;
        };
        DiscardDeadLettersOfRunAnswer: {
            discarded: number;
        };
        DiscardDeadLettersOfRunBody: {
            /** @description Default: all open ones */
            ids?: number[];
            /** @description Only those with this code */
            code?: string;
        };
        /**
         * @example {
         *       "error": "NOT_FOUND",
         *       "message": "There is no task \"7\"",
         *       "request_id": "req-1"
         *     }
         */
        Error: {
            /** @enum {string} */
            error: "VALIDATION_ERROR" | "AUTH_ERROR" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNPROCESSABLE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "CONNECTOR_ERROR" | "NOT_READY";
            message: string;
            details?: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            request_id: string;
        };
        Executor: {
            id: number;
            name: string;
            instance_id: string;
            version: string;
            protocol_version: number;
            labels: {
                [key: string]: string;
            };
            connector_types: string[];
            slots: number;
            status: string;
            registered_at: string;
            last_seen_at: string;
        };
        ExecutorKey: {
            /** @description The first 16 hex digits of the SHA-256 of the key */
            fingerprint: string;
            /** @description The setting of the answering server that holds it; null if none */
            setting: ("current" | "previous") | null;
            first_seen_at: string;
            /** @description When an executor last used it, to the minute */
            last_seen_at: string;
            revoked_at: string | null;
            revoked_by: string | null;
        };
        ExecutorRegistration: {
            executor_id: number;
            session_token: string;
            protocol_version: number;
            limits: {
                /** @description Milliseconds */
                lease_ttl_ms: number;
                /** @description Milliseconds */
                heartbeat_ms: number;
                /** @description Milliseconds */
                reconnect_grace_ms: number;
                log_batch_lines_max: number;
                log_batch_bytes_max: number;
                log_line_bytes_max: number;
                /** @description Milliseconds */
                assignment_ack_ms: number;
            };
        };
        ExploreConnectorBody: {
            resource: string;
            columns?: string[];
            /** @description `{"age": {"gte": 18}, "name": "Ada"}` */
            filter?: {
                [key: string]: unknown;
            };
            /** @description Only rows where one of the columns, as text, contains the text; case-insensitive */
            search?: {
                text: string;
                columns: string[];
            };
            /** @description `name` ascending, `-name` descending */
            sort?: string[];
            /** @default 50 */
            limit?: number;
            cursor?: string;
        };
        ExplorerPage: {
            columns: ({
                name: string;
                type: string;
                nullable: boolean;
            } & {
                [key: string]: unknown;
            })[];
            rows: {
                [key: string]: unknown;
            }[];
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "id": 4,
         *       "name": "Open orders",
         *       "description": null,
         *       "connector_id": 3,
         *       "resource": "public.orders",
         *       "columns": [
         *         "id",
         *         "customer",
         *         "total"
         *       ],
         *       "filter": {
         *         "status": "open",
         *         "total": {
         *           "gte": 100
         *         }
         *       },
         *       "sort": [
         *         "-created_at"
         *       ],
         *       "visibility": "team",
         *       "owner_id": null,
         *       "version": 1,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z",
         *       "updated_by": "ada@example.com"
         *     }
         */
        ExplorerPreset: {
            id: number;
            name: string;
            description: string | null;
            connector_id: number;
            resource: string;
            columns: string[];
            filter: {
                [key: string]: unknown;
            };
            sort: string[];
            /** @enum {string} */
            visibility: "team" | "private";
            /** @description The owner of a private preset; null for a team preset */
            owner_id: number | null;
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
        };
        ExportBundleBody: {
            /**
             * @description Names or ids, or "*" for all active ones
             * @default []
             */
            tasks?: "*" | (string | number)[];
            /**
             * @description Likewise; the tasks that a template names are always included
             * @default []
             */
            job_templates?: "*" | (string | number)[];
            /**
             * @description Include the active dashboard templates of the job templates
             * @default true
             */
            include_dashboard_templates?: boolean;
            /**
             * @description Without secrets. true: those bound by active jobs of the templates; or names, ids, "*"
             * @default false
             */
            include_connectors?: boolean | ("*" | (string | number)[]);
            /**
             * @description Default: by `Accept`, else YAML
             * @enum {string}
             */
            format?: "yaml" | "zip";
        };
        GenerateTaskBody: {
            /** @description What the task should do */
            prompt: string;
            /** @description The model sees their names, types, and the names of their resources, never their configuration */
            connector_ids?: number[];
            /** @description Default: the enabled references in name order, up to 60,000 characters */
            reference_ids?: number[];
            /** @description The task to change */
            task_id?: number;
            /** @description Answer with server-sent events */
            stream?: boolean;
        };
        /**
         * @example {
         *       "yaml_content": "version: 1\nname: hello\nsteps:\n  - { id: say, kind: log, message: hello }\n",
         *       "valid": true,
         *       "problems": [],
         *       "references_used": [
         *         {
         *           "id": 2,
         *           "name": "Naming of tables",
         *           "version": 1
         *         }
         *       ],
         *       "attempts": 1,
         *       "usage": {
         *         "input_tokens": 7210,
         *         "output_tokens": 180
         *       }
         *     }
         */
        GeneratedTask: {
            yaml_content: string;
            /** @constant */
            valid: true;
            /** @description Always empty: a task with problems is not returned */
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            references_used: {
                id: number;
                name: string;
                version: number;
            }[];
            /** @description The number of requests to the model, at most 3 */
            attempts: number;
            usage: {
                input_tokens: number;
                output_tokens: number;
            };
        };
        /** @description One event of the stream; `data` is sent as JSON */
        GenerationEvent: components["schemas"]["GenerationEventProgress"] | components["schemas"]["GenerationEventDelta"] | components["schemas"]["GenerationEventProblems"] | components["schemas"]["GenerationEventResult"] | components["schemas"]["GenerationEventError"];
        GenerationEventDelta: {
            /** @constant */
            event: "delta";
            data: {
                /** @description Which request to the model */
                attempt: number;
                /** @description The next part of what the model writes */
                text: string;
            };
        };
        GenerationEventError: {
            /** @constant */
            event: "error";
            /** @description It failed; the last event */
            data: {
                /** @enum {string} */
                error: "VALIDATION_ERROR" | "AUTH_ERROR" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNPROCESSABLE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "CONNECTOR_ERROR" | "NOT_READY";
                message: string;
                details?: {
                    path: string;
                    message: string;
                    line?: number;
                    column?: number;
                }[];
                retry_after_seconds?: number;
            };
        };
        GenerationEventProblems: {
            /** @constant */
            event: "problems";
            /** @description What the validator found */
            data: {
                /** @description Which request to the model */
                attempt: number;
                problems: {
                    path: string;
                    message: string;
                    line?: number;
                    column?: number;
                }[];
            };
        };
        GenerationEventProgress: {
            /** @constant */
            event: "progress";
            data: {
                /** @description Which request to the model */
                attempt: number;
                /** @enum {string} */
                phase: "generating" | "validating" | "repairing";
            };
        };
        GenerationEventResult: {
            /** @constant */
            event: "result";
            data: components["schemas"]["GeneratedTask"];
        };
        GetHealthAnswer: {
            /** @enum {string} */
            status: "ok";
            version: string;
            uptime_seconds: number;
        };
        GetJobTaskStateAnswer: {
            result: components["schemas"]["JobState"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        GetPublicWidgetRowsBody: {
            page?: {
                cursor?: string | null;
                limit?: number;
            };
            sort?: string | null;
            search?: string | null;
            /** @description Conditions per column: `{"city": "Bonn", "age": {"gte": 18}}` */
            filters?: {
                [key: string]: unknown;
            };
            /**
             * @description What was chosen of the dashboard’s `filters`, as its address has it; an empty text chooses nothing
             * @example {}
             */
            filter?: {
                [key: string]: string;
            };
        };
        GetPublicWidgetsDataBody: {
            widget_ids?: string[];
            /**
             * @description What was chosen of the dashboard’s `filters`, as its address has it; an empty text chooses nothing
             * @example {}
             */
            filter?: {
                [key: string]: string;
            };
            /** @description Answer after this time with the widgets that are ready, or with the first one; absent: when all are ready */
            wait_ms?: number;
        };
        GetReadiness503: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            checks: {
                /** @enum {string} */
                store: "ok" | "failing";
                /** @enum {string} */
                migrations: "ok" | "failing";
                /** @enum {string} */
                scheduler: "ok" | "failing";
                /**
                 * @description `none`: no executor is connected, so runs wait in the queue. A server that starts no executor of its own is ready nevertheless
                 * @enum {string}
                 */
                executors: "ok" | "failing" | "none";
                /** @enum {string} */
                grpc: "ok" | "failing";
            };
        };
        GetReadinessAnswer: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            checks: {
                /** @enum {string} */
                store: "ok" | "failing";
                /** @enum {string} */
                migrations: "ok" | "failing";
                /** @enum {string} */
                scheduler: "ok" | "failing";
                /**
                 * @description `none`: no executor is connected, so runs wait in the queue. A server that starts no executor of its own is ready nevertheless
                 * @enum {string}
                 */
                executors: "ok" | "failing" | "none";
                /** @enum {string} */
                grpc: "ok" | "failing";
            };
        };
        GetRunCheckpointAnswer1: {
            /** @enum {string} */
            outcome: "ACCEPTED";
            value: {
                value: unknown;
                version: number;
            };
        };
        GetRunCheckpointAnswer2: {
            /** @enum {string} */
            outcome: "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
        };
        GetRunSpecAnswer1: {
            /** @enum {string} */
            outcome: "ACCEPTED";
            value: {
                task_name: string;
                task_version: number;
                yaml: string;
                args: {
                    [key: string]: unknown;
                };
                /** @description Templates that the executor renders; null if there are none */
                args_template: unknown;
                /** @description Empty if there is none */
                when_expr: string;
                job_config: {
                    [key: string]: unknown;
                };
                connectors: {
                    [key: string]: {
                        id: number;
                        name: string;
                        type: string;
                        config: unknown;
                    };
                };
                run: {
                    [key: string]: unknown;
                };
                /** @description 0 for none */
                timeout_ms: number;
                metrics: {
                    backend: string;
                    config: {
                        [key: string]: unknown;
                    };
                    /** @description A backend of the task’s own, written to by the executor */
                    own?: {
                        task_id: number | null;
                        tags?: {
                            [key: string]: string;
                        };
                    };
                }[];
                /** @description Values that the run must not show */
                secrets: string[];
                /** @description Set if dead letters are replayed: they go to this step again, and only the steps after it run */
                replay: {
                    step_id: string;
                    letters: number;
                } | null;
                /** @description YAML of the tasks that `run_task` steps run, by name */
                tasks: {
                    [key: string]: string;
                };
            };
        };
        GetRunSpecAnswer2: {
            /** @enum {string} */
            outcome: "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
        };
        GetSetupAnswer: {
            setup_required: boolean;
        };
        GetWidgetRowsBody: {
            page?: {
                cursor?: string | null;
                limit?: number;
            };
            sort?: string | null;
            search?: string | null;
            /** @description Conditions per column: `{"city": "Bonn", "age": {"gte": 18}}` */
            filters?: {
                [key: string]: unknown;
            };
            /**
             * @description What was chosen of the dashboard’s `filters`, as its address has it; an empty text chooses nothing
             * @example {}
             */
            filter?: {
                [key: string]: string;
            };
        };
        GetWidgetsDataBody: {
            widget_ids?: string[];
            /**
             * @description What was chosen of the dashboard’s `filters`, as its address has it; an empty text chooses nothing
             * @example {}
             */
            filter?: {
                [key: string]: string;
            };
            /** @description Answer after this time with the widgets that are ready, or with the first one; absent: when all are ready */
            wait_ms?: number;
        };
        HeartbeatExecutorAnswer: {
            leases: components["schemas"]["LeaseOutcome"][];
            /** @description Runs to cancel; repeated in every heartbeat’s answer */
            cancels: components["schemas"]["RunCancel"][];
        };
        HeartbeatExecutorBody: {
            leases: components["schemas"]["LeaseInput"][];
        };
        ImportAnswer: {
            dry_run: boolean;
            plan_hash: string;
            /** @description Whether the plan can be applied */
            applicable: boolean;
            /**
             * @description The role required to apply it
             * @enum {string}
             */
            required_role: "editor" | "admin";
            summary: {
                create: number;
                update: number;
                unchanged: number;
                skip: number;
                conflict: number;
                missing_dependency: number;
                invalid: number;
            };
            /** @description In the order of the import */
            items: components["schemas"]["ImportItem"][];
        };
        ImportBundleBody: {
            /** @description The YAML of a bundle */
            bundle?: string;
            /**
             * Format: byte
             * @description Or its zip, in Base64
             */
            bundle_zip?: string;
            /**
             * @description What happens to an existing definition that differs. `fail` (default): nothing is imported. `update`: a new version. `skip`: it is kept. `rename`: the bundle’s is created as `<name>-2`; not for a task that a template of the bundle names
             * @enum {string}
             */
            conflict?: "fail" | "update" | "skip" | "rename";
            /**
             * @description What happens to missing connectors of the bundle, or of types that its templates need. `stub` (default): those of the bundle are created without secrets, which requires an admin. `fail`: nothing is imported
             * @enum {string}
             */
            connector_missing?: "stub" | "fail";
            /** @description From a dry run; required without `dry_run` */
            plan_hash?: string;
            /** @description The names to import from the bundle; nothing of a kind that is left out */
            select?: {
                connectors?: string[];
                tasks?: string[];
                job_templates?: string[];
            };
        };
        /**
         * @example {
         *       "kind": "task",
         *       "name": "copy",
         *       "job_template": null,
         *       "action": "update",
         *       "rename_to": null,
         *       "id": 3,
         *       "version": 4,
         *       "changes": [
         *         "yaml_content"
         *       ],
         *       "diff": "--- task copy, version 4\n+++ task copy of the bundle\n@@ -1,2 +1,2 @@\n version: 1\n-name: copie\n+name: copy\n",
         *       "problems": [],
         *       "warnings": []
         *     }
         */
        ImportItem: {
            /** @enum {string} */
            kind: "connector" | "task" | "job_template" | "dashboard_template";
            name: string;
            /** @description The job template of a dashboard template */
            job_template: string | null;
            /**
             * @description The last three block the whole import; `problems` says why
             * @enum {string}
             */
            action: "create" | "update" | "unchanged" | "skip" | "conflict" | "missing_dependency" | "invalid";
            /** @description The name under which it is created, if its own is taken */
            rename_to: string | null;
            /** @description Of the existing definition; null for a new one, until it is applied */
            id: number | null;
            /** @description Likewise; after the import, the new version */
            version: number | null;
            changes: ("yaml_content" | "description" | "config" | "type")[];
            /** @description A unified diff of the YAML or the configuration, from the existing one; empty once applied */
            diff: string;
            /** @description With line and column in the definition’s own YAML */
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            warnings: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
        };
        /**
         * @example {
         *       "run_id": 7,
         *       "attempt": 1,
         *       "outcome": "ACCEPTED",
         *       "batch_seq": 4
         *     }
         */
        IngestMetricsAnswer1: {
            run_id: number;
            attempt: number;
            /**
             * @description STALE_LEASE: stop and discard. ALREADY_DONE: the same write was accepted before.
             * @enum {string}
             */
            outcome: "ACCEPTED" | "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
            batch_seq: number;
        };
        IngestMetricsAnswer2: {
            /** @description How many points were stored */
            stored: number;
        };
        /** @description What one run measured; a repeated batch counts once */
        IngestMetricsBody1: {
            lease: components["schemas"]["LeaseInput"];
            batch_seq: number;
            metrics: {
                name: string;
                /** @enum {string} */
                kind: "counter" | "gauge" | "timing";
                value: number;
                /** @description At most 32 */
                tags: {
                    [key: string]: string;
                };
                /** @description Milliseconds since 1970 */
                at: number;
            }[];
        };
        /** @description What the metrics backend `http` posts; needs no session. A repeated point counts once */
        IngestMetricsBody2: {
            points: {
                run_id: number;
                attempt: number;
                batch_seq: number;
                /** @description Its position in the batch */
                index: number;
                task_id: number | null;
                task_name: string;
                name: string;
                /** @enum {string} */
                kind: "counter" | "gauge" | "timing";
                value: number;
                /** @description At most 32 */
                tags: {
                    [key: string]: string;
                };
                /** @description Milliseconds since 1970 */
                at: number;
            }[];
        };
        IntrospectConnectorBody: {
            /** @description Return the columns of this resource instead of the list */
            resource?: string;
            integrated_account_id?: string;
            /** @enum {string} */
            surface?: "all" | "unified" | "proxy";
            /** @description CSV: field separator; "tab" for a tab */
            delimiter?: string;
            /** @description CSV: the same as `delimiter` */
            separator?: string;
            /** @default 50 */
            limit?: number;
            cursor?: string;
            q?: string;
            integration?: string;
            refresh?: boolean;
        };
        /**
         * @example {
         *       "resources": [
         *         {
         *           "name": "contacts",
         *           "type": "table"
         *         }
         *       ],
         *       "next_cursor": null,
         *       "fallback": false
         *     }
         */
        Introspection: {
            resources?: {
                name: string;
                type: string;
            }[];
            columns?: {
                name: string;
                type: string;
                nullable: boolean;
            }[];
            accounts?: {
                id: string;
                label: string | null;
                tenant_id: string;
                integration_name: string;
                status: string | null;
            }[];
            next_cursor?: string | null;
            fallback?: boolean;
            schema_error?: string;
        };
        /**
         * @example {
         *       "id": 3,
         *       "name": "on call",
         *       "description": null,
         *       "url": "https://alerts.example.com/headgate",
         *       "events": [
         *         "run.failing",
         *         "run.recovered"
         *       ],
         *       "job_ids": null,
         *       "enabled": true,
         *       "previous_secret_until": null,
         *       "last_success_at": "2026-01-15T01:00:03.512Z",
         *       "last_failure_at": null,
         *       "consecutive_failures": 0,
         *       "failing_since": null,
         *       "disabled_reason": null,
         *       "version": 1,
         *       "created_at": "2026-01-10T12:00:00.000Z",
         *       "updated_at": "2026-01-10T12:00:00.000Z",
         *       "updated_by": "ada@example.com",
         *       "secret": "whsec_bm90IGEgcmVhbCBzZWNyZXQsIGJ1dCBhIGZvcm0gb2Y="
         *     }
         */
        IssuedWebhook: {
            id: number;
            name: string;
            description: string | null;
            url: string;
            events: "*" | ("job_run.succeeded" | "job_run.failed" | "run.failing" | "run.recovered" | "trigger.paused")[];
            job_ids: number[] | null;
            enabled: boolean;
            /** @description Until then, messages are also signed with the previous secret */
            previous_secret_until: string | null;
            last_success_at: string | null;
            last_failure_at: string | null;
            /** @description Failed attempts since the last success */
            consecutive_failures: number;
            failing_since: string | null;
            /** @description Why the server disabled it */
            disabled_reason: string | null;
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
            /** @description whsec_ and Base64; shown this once */
            secret: string;
        };
        Job: {
            id: number;
            job_template_id: number;
            name: string;
            description: string | null;
            /** @enum {string} */
            status: "active" | "archived";
            template_version: number;
            version: number;
            created_at: string;
            updated_at: string;
            /** @description Template connector name to connector id, as JSON text: in lists and in the answer that creates a job. In a `JobDetail` it is an object */
            connector_mapping: string;
        };
        JobConfig: {
            schema: {
                [key: string]: unknown;
            };
            values: {
                [key: string]: unknown;
            };
            version: number;
        };
        JobConfigVersion: {
            version: number;
            values: {
                [key: string]: unknown;
            };
            created_at: string;
            created_by: string | null;
        };
        JobDetail: {
            id: number;
            job_template_id: number;
            name: string;
            description: string | null;
            /** @enum {string} */
            status: "active" | "archived";
            template_version: number;
            version: number;
            created_at: string;
            updated_at: string;
            /** @description Template connector name to connector id. In a `Job`, as lists hold it, it is JSON text */
            connector_mapping: {
                [key: string]: number;
            };
            overridden_task_keys: string[];
            resolved_connectors: {
                [key: string]: {
                    id: number;
                    name: string;
                    type: string;
                };
            };
            template_name: string | null;
            dag: components["schemas"]["Dag"] | null;
        };
        JobDrift: {
            /** @description Whether anything below has drifted */
            drifted: boolean;
            template: {
                id: number;
                name: string;
                /** @description The job’s version; null if unknown */
                pinned_version: number | null;
                current_version: number;
                drifted: boolean;
                /** @description A unified diff from the job’s YAML to the template’s; empty if the texts are equal */
                diff: string;
            };
            tasks: {
                key: string;
                task_id: number;
                task_name: string;
                /** @description The job’s version; null if unknown */
                pinned_version: number | null;
                current_version: number;
                drifted: boolean;
                /** @description Whether the job overrides its YAML */
                overridden: boolean;
                /** @description The tasks that its `run_task` steps run */
                child_tasks: {
                    task_id: number;
                    name: string;
                    /** @description The job’s version; null if unknown */
                    pinned_version: number | null;
                    current_version: number;
                    drifted: boolean;
                }[];
            }[];
            dashboards: {
                id: number;
                name: string;
                dashboard_template_id: number;
                /** @description The job’s version; null if unknown */
                pinned_version: number | null;
                current_version: number;
                drifted: boolean;
                /** @description Whether it was modified since its snapshot; null if unknown */
                modified: boolean | null;
            }[];
            /** @description Active dashboard templates without a dashboard in the job */
            missing_dashboards: {
                dashboard_template_id: number;
                name: string;
            }[];
        };
        JobFailing: {
            job_run_id: number;
            job_id: number;
            job_name: string;
            trigger_id: number | null;
            /** @enum {string} */
            status: "success" | "warning" | "error";
            /** @description Why it was started, or why it ended */
            reason: string;
            scheduled_for: string | null;
            ended_at: string;
            /** @description When the first failing job run ended */
            since: string;
        };
        JobFailingEvent: {
            /** @constant */
            type: "run.failing";
            /** @description When it happened */
            timestamp: string;
            data: components["schemas"]["JobFailing"];
        };
        JobHealth: {
            job_id: number;
            /** @description When a trigger starts it next; null: none does */
            next_run_at: string | null;
            /** @description Of the recent runs that ended well or failed, how many ended well: 0 to 1; null: none has ended */
            success_rate: number | null;
            /** @description The newest job runs, newest first, at most 20 */
            recent: {
                id: number;
                status: string;
                created_at: string;
                duration_ms: number | null;
            }[];
        };
        JobRecovered: {
            job_run_id: number;
            job_id: number;
            job_name: string;
            trigger_id: number | null;
            /** @enum {string} */
            status: "success" | "warning" | "error";
            /** @description Why it was started, or why it ended */
            reason: string;
            scheduled_for: string | null;
            ended_at: string;
            /** @description When the first failing job run ended */
            since: string;
            first_failed_job_run_id: number;
            /** @description The number of failed job runs in between */
            failed_job_runs: number;
        };
        JobRecoveredEvent: {
            /** @constant */
            type: "run.recovered";
            /** @description When it happened */
            timestamp: string;
            data: components["schemas"]["JobRecovered"];
        };
        JobRun: {
            id: number;
            job_id: number;
            job_name: string;
            job_template_id: number;
            job_template_name: string;
            trigger_id: number | null;
            /** @description Null if no trigger started it, or it was deleted */
            trigger_name: string | null;
            scheduled_for: string | null;
            /** @description The scheduled time before scheduled_for */
            interval_start: string | null;
            backfill_id: number | null;
            priority: number;
            /** @description If it is still active then, it ends as an error with the reason timeout */
            deadline_at: string | null;
            /** @description In a rerun: tasks that were not run again, with the earlier run whose outcome counts */
            reused: {
                [key: string]: {
                    run_id: number;
                    status: string;
                    reason: string;
                };
            };
            rerun_of: number | null;
            /** @enum {string} */
            status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled";
            reason: string;
            /** @description Once it has ended with an error or a warning: the first failure of a task that must not fail, else of one that may. Null if none failed */
            error: components["schemas"]["JobRunError"] | null;
            args: {
                [key: string]: unknown;
            };
            config_snapshot: {
                [key: string]: unknown;
            };
            created_at: string;
            created_by: string | null;
            started_at: string | null;
            ended_at: string | null;
            duration_ms: number | null;
        };
        JobRunDetail: {
            id: number;
            job_id: number;
            job_name: string;
            job_template_id: number;
            job_template_name: string;
            trigger_id: number | null;
            /** @description Null if no trigger started it, or it was deleted */
            trigger_name: string | null;
            scheduled_for: string | null;
            /** @description The scheduled time before scheduled_for */
            interval_start: string | null;
            backfill_id: number | null;
            priority: number;
            /** @description If it is still active then, it ends as an error with the reason timeout */
            deadline_at: string | null;
            /** @description In a rerun: tasks that were not run again, with the earlier run whose outcome counts */
            reused: {
                [key: string]: {
                    run_id: number;
                    status: string;
                    reason: string;
                };
            };
            rerun_of: number | null;
            /** @enum {string} */
            status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled";
            reason: string;
            /** @description Once it has ended with an error or a warning: the first failure of a task that must not fail, else of one that may. Null if none failed */
            error: components["schemas"]["JobRunError"] | null;
            args: {
                [key: string]: unknown;
            };
            config_snapshot: {
                [key: string]: unknown;
            };
            created_at: string;
            created_by: string | null;
            started_at: string | null;
            ended_at: string | null;
            duration_ms: number | null;
            /** @description The graph that this job run follows, whatever its job has become since */
            dag: components["schemas"]["Dag"];
            levels: string[][];
            runs: components["schemas"]["Run"][];
        };
        JobRunEnd: {
            job_run_id: number;
            job_id: number;
            job_name: string;
            trigger_id: number | null;
            /** @enum {string} */
            status: "success" | "warning" | "error";
            /** @description Why it was started, or why it ended */
            reason: string;
            scheduled_for: string | null;
            ended_at: string;
        };
        JobRunError: {
            code: string;
            message: string;
            step: string | null;
            /** @description The key of the task that failed; null if none was started */
            task: string | null;
            /** @description The run of that task, for its log */
            run_id: number | null;
        };
        /** @description One event of the stream; `data` is sent as JSON */
        JobRunEvent: components["schemas"]["JobRunEventRun"] | components["schemas"]["JobRunEventStatus"] | components["schemas"]["JobRunEventEnd"];
        JobRunEventEnd: {
            /** @constant */
            event: "end";
            /** @description The last event */
            data: {
                id: number;
                /** @enum {string} */
                status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled";
                reason: string;
            };
        };
        JobRunEventRun: {
            /** @constant */
            event: "run";
            data: {
                id: number;
                task_key: string | null;
                /** @enum {string} */
                status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled" | "skipped";
                reason: string;
            };
        };
        JobRunEventStatus: {
            /** @constant */
            event: "status";
            data: {
                id: number;
                /** @enum {string} */
                status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled";
                reason: string;
            };
        };
        JobRunFailedEvent: {
            /** @constant */
            type: "job_run.failed";
            /** @description When it happened */
            timestamp: string;
            data: components["schemas"]["JobRunEnd"];
        };
        JobRunSucceededEvent: {
            /** @constant */
            type: "job_run.succeeded";
            /** @description When it happened */
            timestamp: string;
            data: components["schemas"]["JobRunEnd"];
        };
        JobState: {
            task_key: string;
            step_id: string;
            /** @description The cursor: the next run of the task continues after it */
            value: unknown;
            version: number;
            updated_at: string;
        };
        JobTemplate: {
            id: number;
            name: string;
            description: string | null;
            yaml_content: string;
            /** @enum {string} */
            status: "active" | "archived";
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
        };
        JobTemplateDetail: {
            id: number;
            name: string;
            description: string | null;
            yaml_content: string;
            /** @enum {string} */
            status: "active" | "archived";
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
            dag: components["schemas"]["Dag"] | null;
            connectors: {
                [key: string]: {
                    type: string;
                    required: boolean;
                    description: string | null;
                };
            } | null;
        };
        JobUpgrade: {
            dry_run: boolean;
            /** @description False for a dry run, and if there was nothing to do */
            applied: boolean;
            /** @description The current version */
            job_version: number;
            /** @description Send it back to apply exactly this plan */
            plan_hash: string;
            /** @description Whether there is anything to do */
            changed: boolean;
            template: {
                from_version: number;
                to_version: number;
                /** @description A unified diff; empty if the texts are equal */
                diff: string;
            };
            tasks: {
                key: string;
                /** @enum {string} */
                action: "keep" | "update" | "add" | "remove";
                task_id: number;
                task_name: string;
                from_version: number | null;
                to_version: number | null;
                /** @description The key now names a different task */
                replaced: boolean;
                /**
                 * @description "stale": it stays, for a version that it was not written for; "dropped": it is deleted with its task
                 * @enum {string}
                 */
                override: "none" | "kept" | "stale" | "dropped";
                /** @description A unified diff; empty if the texts are equal */
                diff: string;
                /** @description Of the tasks that its `run_task` steps run those that change */
                child_tasks: {
                    name: string;
                    /** @enum {string} */
                    action: "update" | "add" | "remove";
                    task_id: number;
                    from_version: number | null;
                    to_version: number | null;
                    /** @description A unified diff; empty if the texts are equal */
                    diff: string;
                }[];
            }[];
            connectors: {
                name: string;
                /** @enum {string} */
                action: "add" | "remove" | "change";
                type: string;
                required: boolean;
                from_id: number | null;
                to_id: number | null;
            }[];
            config: {
                key: string;
                /** @enum {string} */
                action: "add" | "remove" | "change";
                before: unknown;
                after: unknown;
            }[];
            dashboards: {
                dashboard_id: number | null;
                dashboard_template_id: number;
                name: string;
                /**
                 * @description "skip_modified": it was modified since its snapshot, or that is unknown, and stays
                 * @enum {string}
                 */
                action: "add" | "update" | "unchanged" | "skip_modified" | "skip_archived";
                modified: boolean | null;
                from_version: number | null;
                to_version: number;
                /** @description A unified diff; empty if the texts are equal */
                diff: string;
            }[];
            /** @description Cursors of removed or replaced tasks. They stay; delete those that are no longer needed */
            cursors: {
                task_key: string;
                step_id: string;
            }[];
            /** @description What blocks the upgrade; without `dry_run` the call fails with 400 */
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
        };
        /**
         * @example {
         *       "run_id": 7,
         *       "attempt": 1,
         *       "epoch": 3,
         *       "token": "d41c6f0b9a2e4877"
         *     }
         */
        Lease: {
            run_id: number;
            attempt: number;
            epoch: number;
            token: string;
        };
        /**
         * @example {
         *       "run_id": 7,
         *       "attempt": 1,
         *       "epoch": 3,
         *       "token": "d41c6f0b9a2e4877"
         *     }
         */
        LeaseInput: {
            run_id: number;
            attempt: number;
            epoch: number;
            token: string;
        };
        /**
         * @example {
         *       "run_id": 7,
         *       "attempt": 1,
         *       "outcome": "ACCEPTED"
         *     }
         */
        LeaseOutcome: {
            run_id: number;
            attempt: number;
            /**
             * @description STALE_LEASE: stop and discard. ALREADY_DONE: the same write was accepted before.
             * @enum {string}
             */
            outcome: "ACCEPTED" | "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
        };
        ListAiReferencesAnswer: {
            result: components["schemas"]["AiReferenceHead"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListApiKeyScopesAnswer: {
            result: string[];
            next_cursor: null;
        };
        ListApiKeysAnswer: {
            result: components["schemas"]["ApiKey"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListAuditLogsAnswer: {
            result: components["schemas"]["AuditLog"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListBackfillsAnswer: {
            result: components["schemas"]["Backfill"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListConnectorTypesAnswer: {
            result: components["schemas"]["ConnectorType"][];
            next_cursor: null;
        };
        ListConnectorUsesAnswer: {
            result: components["schemas"]["ConnectorUse"][];
        };
        ListConnectorsAnswer: {
            result: components["schemas"]["Connector"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListDashboardTemplatesAnswer: {
            result: components["schemas"]["DashboardTemplate"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListDashboardsAnswer: {
            result: components["schemas"]["ListedDashboard"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListDashboardsOfJobAnswer: {
            result: components["schemas"]["ListedDashboard"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListDeadLetterReasonsAnswer: {
            result: components["schemas"]["DeadLetterReason"][];
        };
        ListDeadLettersAnswer: {
            result: components["schemas"]["ShownDeadLetter"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListDeadLettersOfJobAnswer: {
            result: components["schemas"]["DeadLetter"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListDeadLettersOfRunAnswer: {
            result: components["schemas"]["DeadLetter"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListExecutorKeysAnswer: {
            result: components["schemas"]["ExecutorKey"][];
        };
        ListExecutorsAnswer: {
            result: components["schemas"]["Executor"][];
            next_cursor: null;
        };
        ListExplorerPresetsAnswer: {
            result: components["schemas"]["ExplorerPreset"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListJobConfigHistoryAnswer: {
            result: components["schemas"]["JobConfigVersion"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListJobHealthAnswer: {
            result: components["schemas"]["JobHealth"][];
        };
        ListJobRunsAnswer: {
            result: components["schemas"]["JobRun"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListJobStatesAnswer: {
            result: components["schemas"]["JobState"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListJobTemplateVersionsAnswer: {
            result: components["schemas"]["DefinitionVersion"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListJobTemplatesAnswer: {
            result: components["schemas"]["JobTemplate"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListJobsAnswer: {
            result: components["schemas"]["Job"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListJobsOfTemplateAnswer: {
            result: components["schemas"]["Job"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListMetricsConfigsAnswer: {
            result: components["schemas"]["MetricsConfig"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListReplayRowsAnswer1: {
            /** @enum {string} */
            outcome: "ACCEPTED";
            value: {
                rows: {
                    letter_id: number;
                    item: unknown;
                }[];
            };
        };
        ListReplayRowsAnswer2: {
            /** @enum {string} */
            outcome: "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
        };
        ListRunLogsAnswer: {
            result: components["schemas"]["LogLine"][];
            last_seq: number;
            complete: boolean;
            /** @description why it is not complete */
            reason: ("running" | "missing" | "quota" | "retention") | null;
            /** @description lines over the quota: acknowledged and not kept */
            dropped: number;
            /** @description `attempt.seq`: lines up to here were deleted by retention */
            pruned_to: string | null;
            /** @description How far the log of each attempt goes, oldest first: its lines are 1 to last_seq */
            attempts: {
                attempt: number;
                last_seq: number;
            }[];
            next_cursor: string | null;
        };
        ListRunStepsAnswer: {
            result: components["schemas"]["RunStep"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListRunsAnswer: {
            result: components["schemas"]["Run"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListRunsOfJobAnswer: {
            result: components["schemas"]["JobRun"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListSessionsAnswer: {
            result: components["schemas"]["Session"][];
            next_cursor: null;
        };
        ListTaskVersionsAnswer: {
            result: components["schemas"]["DefinitionVersion"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListTasksAnswer: {
            result: components["schemas"]["Task"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListTriggersAnswer: {
            result: components["schemas"]["Trigger"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListTriggersOfJobAnswer: {
            result: components["schemas"]["Trigger"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListUsersAnswer: {
            result: components["schemas"]["User"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListWebhookDeliveriesAnswer: {
            result: components["schemas"]["WebhookDelivery"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListWebhooksAnswer: {
            result: components["schemas"]["Webhook"][];
            /** @description For `cursor`; null on the last page */
            next_cursor: string | null;
        };
        ListedDashboard: {
            id: number;
            job_id: number;
            dashboard_template_id: number | null;
            name: string;
            description: string | null;
            yaml_content: string;
            /** @description The template’s, when it was snapshotted last */
            template_version: number | null;
            /** @description Whether the YAML is another than the one that was snapshotted; null where that is not known */
            modified: boolean | null;
            shared: boolean;
            share_expires_at: string | null;
            share_has_password: boolean;
            version: number;
            created_at: string;
            updated_at: string;
            job_name: string | null;
        };
        /**
         * @example {
         *       "run_id": 7,
         *       "attempt": 1,
         *       "outcome": "ACCEPTED",
         *       "acked_seq": 120,
         *       "resend_from": 0,
         *       "window_bytes": 1048576
         *     }
         */
        LogAck: {
            run_id: number;
            attempt: number;
            /**
             * @description STALE_LEASE: stop and discard. ALREADY_DONE: the same write was accepted before.
             * @enum {string}
             */
            outcome: "ACCEPTED" | "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
            /** @description Everything up to here is durable */
            acked_seq: number;
            /** @description Above 0 where the batch began after a gap */
            resend_from: number;
            /** @description Send no more than this in the next batch */
            window_bytes: number;
        };
        LogBatchInput: {
            lease: components["schemas"]["LeaseInput"];
            first_seq: number;
            /** @description The first has first_seq, each following one is one higher */
            lines: {
                /** @description Milliseconds since 1970 */
                at: number;
                /** @enum {string} */
                level: "debug" | "info" | "warn" | "error";
                /** @description Empty for the task itself */
                step_id?: string;
                message: string;
                fields?: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        LogLine: {
            attempt: number;
            seq: number;
            at: string;
            /** @enum {string} */
            level: "debug" | "info" | "warn" | "error";
            step_id: string | null;
            message: string;
            fields: {
                [key: string]: unknown;
            } | null;
        };
        LoginAnswer: {
            /** @enum {boolean} */
            totp_required: true;
            totp_enrolment?: components["schemas"]["TotpEnrolment"];
        };
        LoginBody: {
            /** Format: email */
            email: string;
            password: string;
        };
        Me: {
            id: number;
            email: string;
            name: string;
            role: string;
            status: string;
            totp_enabled: boolean;
            created_at: string;
            updated_at: string;
            /** @description The API key of the request, which may do what its scopes name */
            api_key?: components["schemas"]["ApiKey"];
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "default",
         *       "backend": "localdb",
         *       "config": {
         *         "path": "./metrics.db",
         *         "retention_days": 90
         *       },
         *       "enabled": true,
         *       "version": 1,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        MetricsConfig: {
            id: number;
            name: string;
            /** @enum {string} */
            backend: "noop" | "localdb" | "statsd" | "http" | "serverdb";
            /** @description Keys by backend. noop: none. localdb: path, retention_days. statsd: host, port, prefix, tags, tag_format (datadog or none), buffer_bytes, flush_ms. http: url, key. serverdb: url (without it, the database of the server’s own state), retention_days. Secrets (key of http, url of serverdb) read as "********"; writing that keeps the stored value. */
            config: {
                [key: string]: unknown;
            };
            enabled: boolean;
            version: number;
            created_at: string;
            updated_at: string;
        };
        MetricsSummary: {
            available: boolean;
            task: string;
            totals: {
                runs: number;
                success: number;
                warning: number;
                error: number;
                cancelled: number;
                skipped: number;
                items: number;
            };
            durations: {
                avg: number | null;
                p50: number | null;
                p95: number | null;
                max: number | null;
            };
            steps: {
                step: string;
                kind: string;
                executions: number;
                avg_duration_ms: number;
                max_duration_ms: number;
                avg_item_duration_ms: number | null;
                /** @description Median time per item; over several runs, weighted by items */
                item_p50_ms: number | null;
                item_p95_ms: number | null;
                item_max_ms: number | null;
                /** @description Highest number of concurrent connector calls */
                in_flight_max: number;
                rows_in: number;
                rows_out: number;
                errors: number;
                skipped: number;
            }[];
            connectors: {
                connector: string;
                type: string;
                calls: number;
                duration_ms: number;
                avg_call_ms: number | null;
                errors: number;
            }[];
        };
        /**
         * @example {
         *       "available": true,
         *       "task": "orders",
         *       "points": [
         *         {
         *           "day": "2026-01-15",
         *           "success": 23,
         *           "error": 1,
         *           "avg_duration_ms": 812.5,
         *           "total_items": 48210
         *         }
         *       ]
         *     }
         */
        MetricsTimeseries: {
            available: boolean;
            task: string;
            points: {
                /** @description A date, in UTC */
                day: string;
                /** @description Runs that ended with success or warning */
                success: number;
                error: number;
                avg_duration_ms: number;
                total_items: number;
            }[];
        };
        NewApiKey: {
            id: number;
            name: string;
            prefix: string;
            scopes: string[];
            expires_at: string | null;
            /** @description Until when the token before the last rotation is valid; null: it is not */
            previous_expires_at: string | null;
            last_used_at: string | null;
            created_at: string;
            user_id: number;
            /** @description Shown once */
            token: string;
        };
        NextAssignmentsAnswer: {
            assignments: components["schemas"]["Assignment"][];
            /** @description Runs to cancel; repeated in every heartbeat’s answer */
            cancels: components["schemas"]["RunCancel"][];
        };
        NextAssignmentsBody: {
            /** @description Free slots; 0 waits for cancels only */
            credits: number;
        };
        OauthApp: {
            needs_byoa: boolean;
            configured: boolean;
            oauth_app_mode?: ("platform_default" | "byoa") | null;
            client_id?: string;
            format?: string | null;
            installed_integration_id?: string;
        };
        Overview: {
            /** @description Job runs that have begun and not ended, newest first */
            running: {
                id: number;
                job_id: number;
                job_name: string;
                /** @description Null if no trigger started it, or it was deleted */
                trigger_name: string | null;
                /** @enum {string} */
                status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled";
                reason: string;
                /** @description Once it has ended with an error or a warning: the first failure of a task that must not fail, else of one that may. Null if none failed */
                error: components["schemas"]["JobRunError"] | null;
                created_at: string;
                started_at: string | null;
                ended_at: string | null;
            }[];
            /** @description Jobs whose last run failed, if it is from the last 24 hours: that run, newest first */
            failing: {
                id: number;
                job_id: number;
                job_name: string;
                /** @description Null if no trigger started it, or it was deleted */
                trigger_name: string | null;
                /** @enum {string} */
                status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled";
                reason: string;
                /** @description Once it has ended with an error or a warning: the first failure of a task that must not fail, else of one that may. Null if none failed */
                error: components["schemas"]["JobRunError"] | null;
                created_at: string;
                started_at: string | null;
                ended_at: string | null;
            }[];
            /** @description Triggers whose last run should have been, the longest overdue first */
            late: {
                id: number;
                name: string;
                job_id: number;
                job_name: string;
                /** @description When its run should have begun; of a paused one, since when it is paused */
                due_at: string;
                job_run_id: number | null;
                /**
                 * @description not_fired: its time is past by more than a minute, and no run was made; not_started: its last run is in the queue for more than five minutes; paused: it was disabled after failures
                 * @enum {string}
                 */
                reason: "not_fired" | "not_started" | "paused";
            }[];
            queue: {
                /** @description Runs that an executor may take */
                ready: number;
                /** @description Runs that wait for a time */
                delayed: number;
                running: number;
                /** @description How long the oldest of the ready ones waits */
                oldest_ready_ms: number;
            };
            executors: {
                online: number;
                draining: number;
                lost: number;
            };
            dead_letters: {
                /** @description Counted up to 100000 */
                open: number;
                newest: {
                    id: number;
                    run_id: number;
                    job_id: number | null;
                    job_name: string | null;
                    task_name: string;
                    step_id: string;
                    code: string;
                    message: string;
                    created_at: string;
                }[];
            };
        };
        PreviewTaskBody: {
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/task](/api/schemas/task). All keys, with examples: `docs/language/README.md` of the package
             * @example version: 1
             *     name: load_orders
             *     description: Orders from a CSV file into PostgreSQL
             *     connectors:
             *       file: { type: csv }
             *       warehouse: { type: postgres }
             *     retry: { max_attempts: 3, delay: 5s }
             *     steps:
             *       - { id: read, kind: extract, connector: file, method: read }
             *       - id: shape
             *         kind: transform
             *         input: read
             *         ops:
             *           - cast: { order_id: integer, quantity: integer, unit_price: number }
             *           - filter: item.status != 'cancelled'
             *           - set: { amount: "$round(item.quantity * item.unit_price, 2)" }
             *         on_error: { action: dead_letter, max_error_rate: 0.05 }
             *       - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }
             */
            yaml_content: string;
            /**
             * @default {}
             * @example {
             *       "file": 3,
             *       "warehouse": 4
             *     }
             */
            connectors?: {
                [key: string]: number;
            };
            /** @default {} */
            args?: {
                [key: string]: unknown;
            };
            /** @default {} */
            job_config?: {
                [key: string]: unknown;
            };
            /** @default 10 */
            rows?: number;
            /**
             * @description Name of an example: the answer then has the preview as an item of `tests`, in `example`
             * @default null
             * @example null
             */
            record?: string | null;
        };
        PreviewTriggerBody: {
            /** @description Five fields, or a nickname such as "@daily" */
            cron: string;
            /**
             * @description An IANA time zone name; default UTC
             * @default UTC
             */
            timezone?: string;
            /** @default 5 */
            count?: number;
            /**
             * Format: date-time
             * @description Default: now
             */
            after?: string;
            /** @description The longest delay of a run after its scheduled time, so that not all start at once; the actual delay is fixed for each trigger and time, and ends before the next time. scheduled_for stays the scheduled time. Default 0 */
            jitter_seconds?: number;
            /**
             * @description Inclusive start of the schedule; null: no bound (default)
             * @example 2026-01-15T00:00:00Z
             */
            start_at?: string | null;
            /**
             * @description Exclusive end of the schedule; null: no bound (default)
             * @example 2030-12-31T00:00:00Z
             */
            end_at?: string | null;
        };
        PruneRunsBody: {
            /**
             * Format: date-time
             * @description Only what ended before this time
             */
            ended_before?: string;
            /** @description The newest job runs of each job, and the newest runs of each task without a job, that stay; default: none */
            keep_last?: number;
            /** @description Only of this job */
            job_id?: number;
            /** @description Only of this task, and only runs without a job */
            task_id?: number;
            /**
             * @description Only what ended so
             * @enum {string}
             */
            status?: "success" | "warning" | "error" | "cancelled" | "skipped";
            /**
             * @description Also what has dead letters that nobody has replayed or discarded; they are deleted with it
             * @default false
             */
            open_dead_letters?: boolean;
            /**
             * @description Delete nothing, and count, at most 100000
             * @default false
             */
            dry_run?: boolean;
        };
        PrunedRuns: {
            dry_run: boolean;
            job_runs: number;
            /** @description Runs without a job run; those of job runs are not counted */
            runs: number;
            /** @description There may be more: call it again */
            more: boolean;
        };
        PublicDashboard: {
            title: string | null;
            description: string | null;
            navbar_ctas: {
                [key: string]: unknown;
            }[];
            refresh_interval_seconds: number | null;
            /** @description Whether the link takes input: by its document and by the server */
            allow_public_input: boolean;
            /** @description What viewers may choose; `filter` of the other operations takes it */
            filters?: {
                [key: string]: unknown;
            }[];
            /** @description Of the installation; see `GET /api/branding` */
            branding: components["schemas"]["Branding"];
            pages: {
                id: string;
                title: string;
                widgets: {
                    [key: string]: unknown;
                }[];
            }[];
        };
        PublicWidgetBatch: {
            widgets: {
                [key: string]: {
                    data?: unknown;
                    error?: string;
                    /**
                     * @description Only with `wait_ms`: not there yet, ask for it again
                     * @constant
                     */
                    pending?: true;
                };
            };
        };
        PushDashboardTemplateAnswer: {
            dry_run: boolean;
            items: components["schemas"]["DashboardPushItem"][];
        };
        PushDashboardTemplateBody: {
            /** @description Left out: all that are linked */
            dashboard_ids?: number[];
            /**
             * @description Says what a push would do, and does nothing
             * @default false
             */
            dry_run?: boolean;
        };
        PutConnectorOauthAppBody: {
            client_id: string;
            client_secret: string;
            /** @description The platform’s storage format, where it has several */
            format?: string;
        };
        PutRunDeadLettersAnswer: {
            /**
             * @description STALE_LEASE: stop and discard. ALREADY_DONE: the same write was accepted before.
             * @enum {string}
             */
            outcome: "ACCEPTED" | "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
            acked_seq: number;
        };
        PutRunDeadLettersBody: {
            lease: components["schemas"]["LeaseInput"];
            first_seq: number;
            /** @description The first has first_seq, each following one is one higher */
            items: {
                step_id: string;
                item?: unknown;
                code: string;
                message: string;
                /** @description In a replay, the dead letter that the row comes from */
                replay_of?: number;
                /** @description Where the row came from: `file`, `line`, `record`, `key`, `cursor`, as far as known */
                origin?: {
                    [key: string]: unknown;
                };
                /** @description The column that did not fit */
                column?: string;
                /** @description Its value */
                value?: unknown;
                /** @description The task of the step, if a `run_task` step runs it */
                task?: string;
            }[];
        };
        PutTaskOverrideBody: {
            /** @description YAML; its JSON Schema is at [/api/schemas/task](/api/schemas/task). All keys, with examples: `docs/language/README.md` of the package */
            yaml_content: string;
        };
        RedeliverFailedWebhookDeliveriesBody: {
            /**
             * Format: date-time
             * @description Default: all stored ones
             */
            since?: string;
        };
        RegisterExecutorBody: {
            name: string;
            /** @description New at every start of the process */
            instance_id: string;
            version: string;
            protocol_version: number;
            features: string[];
            labels: {
                [key: string]: string;
            };
            slots: number;
            connector_types: string[];
        };
        ReplaceBrandingBody: {
            /** @default Headgate */
            product_name?: string;
            /** @default null */
            logo_url?: string | null;
            /** @default null */
            favicon_url?: string | null;
            /** @default null */
            primary_color?: string | null;
            /** @default null */
            support_url?: string | null;
        };
        /** @default {} */
        ReplayDeadLettersOfJobBody: {
            /** @description Default: those of `items`, or else all open ones, oldest first */
            ids?: number[];
            /** @description Corrected rows, as the step should receive them, instead of the stored ones; each of at most 262144 bytes of JSON */
            items?: {
                id: number;
                item: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Without `ids` and `items`: only open ones with this code */
            code?: string;
            /**
             * @description The version that refused the row, or the current one of the job or the task
             * @default snapshot
             * @enum {string}
             */
            use?: "snapshot" | "current";
        };
        /** @default {} */
        ReplayDeadLettersOfRunBody: {
            /** @description Default: those of `items`, or else all open ones, oldest first */
            ids?: number[];
            /** @description Corrected rows, as the step should receive them, instead of the stored ones; each of at most 262144 bytes of JSON */
            items?: {
                id: number;
                item: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Without `ids` and `items`: only open ones with this code */
            code?: string;
            /**
             * @description The version that refused the row, or the current one of the job or the task
             * @default snapshot
             * @enum {string}
             */
            use?: "snapshot" | "current";
        };
        ReportRunProgressBody: {
            lease: components["schemas"]["LeaseInput"];
            step_id: string;
            rows_in: number;
            rows_out: number;
            rows_failed: number;
            rows_per_second: number;
            /** @description 0 to 1 where the total is known, else -1 */
            ratio: number;
        };
        /** @default {} */
        RerunJobRunBody: {
            /**
             * @description "start", "failed" (and everything after it), or the key of a task (and everything after it)
             * @default failed
             */
            from?: string;
            /**
             * @default snapshot
             * @enum {string}
             */
            use?: "snapshot" | "current";
        };
        /** @default {} */
        RerunRunBody: {
            /**
             * @default snapshot
             * @enum {string}
             */
            use?: "snapshot" | "current";
        };
        ResetUserPasswordAnswer: {
            /** @description Shown once */
            password: string;
        };
        /** @default {} */
        RotateApiKeyBody: {
            /** @default 0 */
            overlap_seconds?: number;
        };
        RotateWebhookSecretBody: {
            /**
             * @description How long messages are also signed with the previous secret
             * @default 86400
             */
            overlap_seconds?: number;
        };
        Run: {
            id: number;
            task_id: number | null;
            task_name: string;
            task_version: number;
            /** @description The tasks that its `run_task` steps run, with the versions that it has of them */
            child_tasks: {
                name: string;
                task_id: number;
                task_version: number;
            }[];
            job_run_id: number | null;
            job_id: number | null;
            task_key: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled" | "skipped";
            reason: string;
            attempt: number;
            max_attempts: number;
            executor_id: number | null;
            /** @description What the task received, with its defaults, without secrets. Null if it is not known: a run of a job that has not ended, or one that was lost */
            args: {
                [key: string]: unknown;
            } | null;
            config_snapshot: {
                [key: string]: unknown;
            };
            progress: {
                step_id: string;
                rows_in: number;
                rows_out: number;
                rows_failed: number;
                rows_per_second: number;
                ratio: number | null;
            } | null;
            items: {
                in: number;
                out: number;
                failed: number;
                /** @description Left out by a condition of a step */
                skipped: number;
                /** @description Left out by a `filter` */
                filtered: number;
                /** @description Rows of a target that no longer came: removed, marked or ended by `delete_missing` */
                deleted: number;
            };
            error: components["schemas"]["RunError"] | null;
            /** @description What the `outputs` of the task gave, by name, without secrets. Null if it has none, if the run has not ended well, or if they are too large */
            outputs: unknown;
            rerun_of: number | null;
            /** @description Set if the run replays dead letters of `rerun_of` */
            replay: {
                step_id: string;
                /** @description How many rows it replays */
                letters: number;
            } | null;
            scheduled_for: string | null;
            created_at: string;
            available_at: string;
            started_at: string | null;
            ended_at: string | null;
            duration_ms: number | null;
        };
        /**
         * @example {
         *       "run_id": 7,
         *       "attempt": 1,
         *       "force": false,
         *       "grace_ms": 10000
         *     }
         */
        RunCancel: {
            run_id: number;
            attempt: number;
            force: boolean;
            grace_ms: number;
        };
        RunDetail: {
            id: number;
            task_id: number | null;
            task_name: string;
            task_version: number;
            /** @description The tasks that its `run_task` steps run, with the versions that it has of them */
            child_tasks: {
                name: string;
                task_id: number;
                task_version: number;
            }[];
            job_run_id: number | null;
            job_id: number | null;
            task_key: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled" | "skipped";
            reason: string;
            attempt: number;
            max_attempts: number;
            executor_id: number | null;
            /** @description What the task received, with its defaults, without secrets. Null if it is not known: a run of a job that has not ended, or one that was lost */
            args: {
                [key: string]: unknown;
            } | null;
            config_snapshot: {
                [key: string]: unknown;
            };
            progress: {
                step_id: string;
                rows_in: number;
                rows_out: number;
                rows_failed: number;
                rows_per_second: number;
                ratio: number | null;
            } | null;
            items: {
                in: number;
                out: number;
                failed: number;
                /** @description Left out by a condition of a step */
                skipped: number;
                /** @description Left out by a `filter` */
                filtered: number;
                /** @description Rows of a target that no longer came: removed, marked or ended by `delete_missing` */
                deleted: number;
            };
            error: components["schemas"]["RunError"] | null;
            /** @description What the `outputs` of the task gave, by name, without secrets. Null if it has none, if the run has not ended well, or if they are too large */
            outputs: unknown;
            rerun_of: number | null;
            /** @description Set if the run replays dead letters of `rerun_of` */
            replay: {
                step_id: string;
                /** @description How many rows it replays */
                letters: number;
            } | null;
            scheduled_for: string | null;
            created_at: string;
            available_at: string;
            started_at: string | null;
            ended_at: string | null;
            duration_ms: number | null;
            /** @description Who has, or had, the last attempt; null before the first. The name is null once the server has forgotten the executor */
            executor: {
                id: number;
                name: string | null;
            } | null;
            /** @description Null is what is not known yet, or never came to be */
            timings: {
                /** @description From its creation until an executor took it, or until it ended without */
                queued_ms: number | null;
                /** @description From then until that executor had begun, or until the run ended without */
                starting_ms: number | null;
                /** @description What all its attempts took together */
                running_ms: number | null;
                /** @description From the end of each attempt until an executor took the next one, or until the run ended without */
                between_attempts_ms: number | null;
                /** @description From its creation to its end: the sum of the others */
                total_ms: number | null;
            };
            status_history: {
                at: string;
                from_status: string | null;
                to_status: string;
                reason: string;
                attempt: number;
            }[];
        };
        RunError: {
            code: string;
            message: string;
            step: string | null;
        };
        /** @description One event of the stream; `data` is sent as JSON */
        RunEvent: components["schemas"]["RunEventLog"] | components["schemas"]["RunEventGap"] | components["schemas"]["RunEventStatus"] | components["schemas"]["RunEventProgress"] | components["schemas"]["RunEventEnd"];
        RunEventEnd: {
            /** @constant */
            event: "end";
            /** @description The last event */
            data: {
                last_seq: number;
                complete: boolean;
                /** @description why it is not complete */
                reason: ("running" | "missing" | "quota" | "retention") | null;
                /** @enum {string} */
                status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled" | "skipped";
            };
        };
        RunEventGap: {
            /** @constant */
            event: "gap";
            /** @description For `Last-Event-ID` */
            id: string;
            /** @description Lines that were deleted or not kept, from and to inclusive */
            data: {
                attempt: number;
                from: number;
                to: number;
                /** @enum {string} */
                reason: "retention" | "quota";
            };
        };
        RunEventLog: {
            /** @constant */
            event: "log";
            /** @description For `Last-Event-ID` */
            id: string;
            data: components["schemas"]["LogLine"];
        };
        RunEventProgress: {
            /** @constant */
            event: "progress";
            data: {
                step_id: string;
                rows_in: number;
                rows_out: number;
                rows_failed: number;
                rows_per_second: number;
                ratio: number | null;
            };
        };
        RunEventStatus: {
            /** @constant */
            event: "status";
            data: {
                id: number;
                /** @enum {string} */
                status: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled" | "skipped";
                reason: string;
                attempt: number;
                items: {
                    in: number;
                    out: number;
                    failed: number;
                    /** @description Left out by a condition of a step */
                    skipped: number;
                    /** @description Left out by a `filter` */
                    filtered: number;
                    /** @description Rows of a target that no longer came: removed, marked or ended by `delete_missing` */
                    deleted: number;
                };
                error: components["schemas"]["RunError"] | null;
                started_at: string | null;
                ended_at: string | null;
            };
        };
        RunMetrics: {
            available: boolean;
            run_id: number;
            /** @description The newest attempt that has ended */
            result: {
                attempt: number;
                status: string;
                duration_ms: number;
                items: number;
            } | null;
            steps: {
                step: string;
                kind: string;
                executions: number;
                avg_duration_ms: number;
                max_duration_ms: number;
                avg_item_duration_ms: number | null;
                /** @description Median time per item; over several runs, weighted by items */
                item_p50_ms: number | null;
                item_p95_ms: number | null;
                item_max_ms: number | null;
                /** @description Highest number of concurrent connector calls */
                in_flight_max: number;
                rows_in: number;
                rows_out: number;
                errors: number;
                skipped: number;
            }[];
            connectors: {
                connector: string;
                type: string;
                calls: number;
                duration_ms: number;
                avg_call_ms: number | null;
                errors: number;
            }[];
            /** @description As reported; the first 1000 */
            points: {
                attempt: number;
                name: string;
                /** @enum {string} */
                kind: "counter" | "gauge" | "timing";
                value: number;
                tags: {
                    [key: string]: string;
                };
                at: string;
            }[];
        };
        /** @default {} */
        RunPublicWidgetActionBody: {
            /** @default {} */
            input?: {
                [key: string]: unknown;
            };
        };
        RunStep: {
            step_id: string;
            kind: string;
            status: string;
            rows_in: number;
            rows_out: number;
            rows_failed: number;
            rows_skipped: number;
            rows_filtered: number;
            rows_deleted: number;
            started_at: string;
            ended_at: string;
            attempts: number;
            duration_ms: number;
            error: string | null;
            /** @description The values of its cursor from which and to which an extract has read */
            cursor: {
                /** @description Null: from the beginning */
                from: unknown;
                /** @description Null: it found no rows */
                to: unknown;
            } | null;
        };
        /** @default {} */
        RunWidgetActionBody: {
            /** @default {} */
            input?: {
                [key: string]: unknown;
            };
        };
        SaveJobConfigEntryBody: {
            value: unknown;
        };
        SaveRunCheckpointAnswer1: {
            /** @enum {string} */
            outcome: "ACCEPTED";
            value: {
                version: number;
                stored: boolean;
            };
        };
        SaveRunCheckpointAnswer2: {
            /** @enum {string} */
            outcome: "ALREADY_DONE" | "STALE_LEASE" | "RUN_ABSENT";
        };
        SaveRunCheckpointBody: {
            lease: components["schemas"]["LeaseInput"];
            name: string;
            value?: unknown;
            /** @description Of the value that this one replaces; 0 where nothing was saved */
            expected_version: number;
        };
        SavedJobTemplate: {
            id: number;
            name: string;
            description: string | null;
            yaml_content: string;
            /** @enum {string} */
            status: "active" | "archived";
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
            dag: components["schemas"]["Dag"] | null;
            connectors: {
                [key: string]: {
                    type: string;
                    required: boolean;
                    description: string | null;
                };
            } | null;
            /** @description As `POST /api/job-templates/validate` gives them, such as tasks that do not exist yet */
            warnings: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
        };
        /**
         * @example {
         *       "settings": {
         *         "retention.log_days": {
         *           "value": 30,
         *           "source": "default",
         *           "locked": false,
         *           "default": 30,
         *           "secret": false,
         *           "description": "Days to keep a log; 0 = forever."
         *         }
         *       }
         *     }
         */
        ServerConfiguration: {
            settings: {
                [key: string]: {
                    /** @description The value in effect; a secret reads as `********` */
                    value: unknown;
                    /**
                     * @description `environment`: a `SVC_*` variable, or `headgate.yaml`
                     * @enum {string}
                     */
                    source: "default" | "stored" | "environment";
                    /** @description Set outside of the API, which cannot change it */
                    locked: boolean;
                    default: unknown;
                    secret: boolean;
                    description: string;
                };
            };
        };
        ServerInfo: {
            version: string;
            store: string;
            workers: {
                threads: number;
                queued: number;
                running: number;
                restarts: number;
            };
            limits: {
                body_bytes: number;
                queue_max: number;
                task_timeout_ms: number;
                requests_per_minute: number;
            };
            grpc: {
                address: string;
            };
        };
        Session: {
            id: number;
            created_at: string;
            last_seen_at: string;
            expires_at: string;
            address: string;
            user_agent: string;
            /** @description Whether it is the session of this request */
            current: boolean;
        };
        SetJobTaskStateAnswer: {
            result: components["schemas"]["JobState"][];
        };
        SetJobTaskStateBody: {
            step_id: string;
            value: string | number;
        };
        SetUpBody: {
            token: string;
            /** Format: email */
            email: string;
            name: string;
            /** @example correct horse battery staple */
            password: string;
        };
        ShareDashboardBody: {
            /** @description When the link expires; null: never; absent: unchanged */
            expires_at?: string | null;
            /** @description Asked of whoever opens the link; null removes it; absent: unchanged */
            password?: string | null;
        };
        ShareLink: {
            share_token: string;
            public_url: string;
        };
        ShareLinkDetail: {
            share_token: string;
            public_url: string;
            expires_at: string | null;
            has_password: boolean;
        };
        ShownDeadLetter: {
            id: number;
            run_id: number;
            job_id: number | null;
            attempt: number;
            step_id: string;
            /** @description The task of the step, if a `run_task` step runs it; null: the task of the run */
            task: string | null;
            item: unknown;
            code: string;
            message: string;
            /** @enum {string} */
            status: "open" | "replaying" | "replayed" | "discarded";
            /** @description The run that replayed the row last */
            replay_run_id: number | null;
            /** @description The corrected row that was replayed instead of `item`; null if there was none */
            replay_item: unknown;
            /** @description The dead letter whose row failed here again */
            replay_of: number | null;
            /** @description Where the row came from, as far as known: `file`, `line` on which the record begins, `record` (its number), `key`, `cursor` */
            origin: {
                [key: string]: unknown;
            } | null;
            /** @description The column that did not fit; null if no single one is at fault */
            column: string | null;
            /** @description The value that did not fit; null if no single column is at fault */
            value: unknown;
            created_at: string;
            job_name: string | null;
            /** @description The task of the run */
            run_task_name: string;
        };
        /** @default {} */
        StartJobBody: {
            /** @default {} */
            args?: {
                [key: string]: unknown;
            };
            /**
             * @description Higher priorities are claimed first
             * @default 0
             */
            priority?: number;
            /** @description Keys of the tasks to run; their dependencies on others count as met. Default: all */
            tasks?: string[];
            /** @description Overrides the job’s configuration for this job run; maps are merged */
            config_override?: {
                [key: string]: unknown;
            };
        };
        StartRunBody: {
            lease: components["schemas"]["LeaseInput"];
        };
        /** @default {} */
        StartTaskBody: {
            /** @default {} */
            connectors?: {
                [key: string]: number;
            };
            /** @default {} */
            args?: {
                [key: string]: unknown;
            };
            /** @default {} */
            job_config?: {
                [key: string]: unknown;
            };
            /**
             * @description Runs with a higher one are claimed first
             * @default 0
             */
            priority?: number;
        };
        SubmitPublicWidgetBody: {
            value: unknown;
            /** @description The version that was filled in from; another one saved since is 412 */
            version?: number;
            /**
             * @description Check, and save nothing
             * @default false
             */
            dry_run?: boolean;
        };
        SubmitWidgetBody: {
            value: unknown;
            /** @description The version that was filled in from; another one saved since is 412 */
            version?: number;
            /**
             * @description Check, and save nothing
             * @default false
             */
            dry_run?: boolean;
        };
        Task: {
            id: number;
            name: string;
            description: string | null;
            yaml_content: string;
            version: number;
            status: string;
            labels: {
                [key: string]: string;
            };
            connectors: {
                [key: string]: {
                    type: string;
                };
            };
            created_at: string;
            updated_at: string;
            updated_by: string | null;
        };
        TaskOverride: {
            task_key: string;
            task_id: number;
            task_name: string;
            /** @description The pinned version, which runs again after the override is deleted */
            task_version: number;
            /** @description The YAML that the job runs instead */
            yaml_content: string;
            connectors: {
                [key: string]: {
                    type: string;
                };
            };
            pinned_yaml_content: string;
            /** @description A unified diff from the pinned version to `yaml_content`; empty if the texts are equal */
            diff: string;
        };
        TaskPreview: {
            failure: {
                code: string;
                message: string;
                step: string | null;
            } | null;
            /** @description `would` says what a step would have written or called, and did not */
            steps: {
                [key: string]: unknown;
            }[];
            /** @description Null unless `record` asks for it, and where the preview did not come to its end */
            example: {
                [key: string]: unknown;
            } | null;
        };
        TaskUses: {
            /** @description Newest job first; one entry for each node that runs the task */
            jobs: {
                id: number;
                name: string;
                status: string;
                task_key: string;
                /** @description The version that the job pins */
                task_version: number;
            }[];
            /** @description Newest first, with the nodes that run the task */
            job_templates: {
                id: number;
                name: string;
                status: string;
                task_keys: string[];
            }[];
        };
        TestUnsavedConnectorBody: {
            type: string;
            config: {
                [key: string]: unknown;
            };
        };
        TotpEnrolment: {
            otpauth_url: string;
            secret: string;
            qr_svg: string;
            recovery_codes: string[];
        };
        /**
         * @example {
         *       "id": 4,
         *       "job_id": 2,
         *       "name": "every night",
         *       "cron": "0 2 * * *",
         *       "timezone": "Europe/Berlin",
         *       "enabled": true,
         *       "overlap": "skip",
         *       "catchup": "latest",
         *       "catchup_window": "6h",
         *       "jitter_seconds": 300,
         *       "start_at": null,
         *       "end_at": null,
         *       "pause_after_failures": 5,
         *       "state": "active",
         *       "next_run_at": "2026-01-16T01:00:00.000Z",
         *       "next_start_at": "2026-01-16T01:03:41.207Z",
         *       "last_fired_at": "2026-01-15T01:00:00.012Z",
         *       "last_run_id": 31,
         *       "last_status": "success",
         *       "last_success_at": "2026-01-15T01:04:10.481Z",
         *       "consecutive_failures": 0,
         *       "paused_at": null,
         *       "paused_reason": null,
         *       "missed_count": 0,
         *       "skipped_count": 0,
         *       "version": 1,
         *       "created_at": "2026-01-10T12:00:00.000Z",
         *       "updated_at": "2026-01-10T12:00:00.000Z"
         *     }
         */
        Trigger: {
            id: number;
            job_id: number;
            name: string;
            cron: string;
            timezone: string;
            enabled: boolean;
            /** @enum {string} */
            overlap: "skip" | "queue_one" | "queue_all" | "cancel_running" | "allow";
            /** @enum {string} */
            catchup: "none" | "latest" | "all";
            catchup_window: string | null;
            jitter_seconds: number;
            start_at: string | null;
            end_at: string | null;
            pause_after_failures: number | null;
            /**
             * @description paused: disabled automatically, see paused_reason; disabled: manually; ended: enabled, but without further times
             * @enum {string}
             */
            state: "active" | "paused" | "disabled" | "ended";
            /** @description The next scheduled time */
            next_run_at: string | null;
            /** @description When its run starts: next_run_at plus its jitter */
            next_start_at: string | null;
            last_fired_at: string | null;
            /** @description The last started job run, including manual ones */
            last_run_id: number | null;
            /** @description The status of that job run; null if it was deleted */
            last_status: ("queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled") | null;
            /** @description When a scheduled run last succeeded, possibly with warnings. Updated within a second or two */
            last_success_at: string | null;
            /** @description Scheduled runs in a row that failed. Manual runs, backfills and reruns do not count, nor do cancelled ones; a success, even with warnings, and enabling it reset the count */
            consecutive_failures: number;
            paused_at: string | null;
            /** @description failures: pause_after_failures runs in a row failed */
            paused_reason: "failures" | null;
            /** @description Scheduled times missed while no server was running, and skipped */
            missed_count: number;
            /** @description Scheduled times reached while the job was running, and skipped */
            skipped_count: number;
            version: number;
            created_at: string;
            updated_at: string;
        };
        TriggerPaused: {
            trigger_id: number;
            job_id: number;
            job_name: string;
            trigger_name: string;
            reason: string;
            consecutive_failures: number;
            /** @description The last failed job run */
            job_run_id: number;
        };
        TriggerPausedEvent: {
            /** @constant */
            type: "trigger.paused";
            /** @description When it happened */
            timestamp: string;
            data: components["schemas"]["TriggerPaused"];
        };
        TriggerPreview: {
            cron: string;
            timezone: string;
            times: string[];
            /** @description The same times with details */
            upcoming: {
                /** @description The scheduled time in UTC */
                at: string;
                /** @description The same time in the time zone, with its offset */
                local: string;
                /** @description Its run starts no later than this */
                starts_by: string;
                /** @description Set if the clock skips or repeats this time */
                note: string | null;
            }[];
        };
        UnlockPublicDashboardBody: {
            password: string;
        };
        UpdateAiReferenceBody: {
            name: string;
            description?: string | null;
            /** @description The text for the model, at most 65,536 characters */
            content: string;
            tags?: string[];
            /** @description Whether the model gets it by default; true if left out */
            enabled?: boolean;
        };
        UpdateConnectorBody: {
            name: string;
            type: string;
            description?: string | null;
            /** @description As the type’s schema says. Secrets read as "********"; writing that keeps the stored value. */
            config: {
                [key: string]: unknown;
            };
        };
        UpdateDashboardBody: {
            name: string;
            description?: string | null;
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/dashboard](/api/schemas/dashboard). All keys, with examples: `docs/reference/dashboard.md` of the package
             * @example dashboard:
             *       title: Orders
             *       refresh_interval_seconds: 30
             *       widgets:
             *         - { id: title, type: heading, text: What was sold }
             *         - id: by_day
             *           type: bar_chart
             *           title: Revenue by day
             *           connector: warehouse
             *           method: query
             *           args: { sql: "SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1" }
             *           x_expr: item.day
             *           series: [{ label: Revenue, value_expr: item.revenue }]
             *         - { id: run, type: task_progress, task_key: orders, title: The newest run }
             */
            yaml_content: string;
        };
        UpdateDashboardTemplateBody: {
            name: string;
            description?: string | null;
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/dashboard](/api/schemas/dashboard). All keys, with examples: `docs/reference/dashboard.md` of the package
             * @example dashboard:
             *       title: Orders
             *       refresh_interval_seconds: 30
             *       widgets:
             *         - { id: title, type: heading, text: What was sold }
             *         - id: by_day
             *           type: bar_chart
             *           title: Revenue by day
             *           connector: warehouse
             *           method: query
             *           args: { sql: "SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1" }
             *           x_expr: item.day
             *           series: [{ label: Revenue, value_expr: item.revenue }]
             *         - { id: run, type: task_progress, task_key: orders, title: The newest run }
             */
            yaml_content: string;
        };
        UpdateExplorerPresetBody: {
            name: string;
            description?: string | null;
            connector_id: number;
            /** @description A table, file or entity, as introspection names it */
            resource: string;
            /** @description In this order; empty or left out: all columns */
            columns?: string[];
            /** @description `{"age": {"gte": 18}, "name": "Ada"}`; operators eq, ne, gt, gte, lt, lte, in, contains, is_null */
            filter?: {
                [key: string]: unknown;
            };
            /** @description `name` ascending, `-name` descending */
            sort?: string[];
            /** @enum {string} */
            visibility: "team" | "private";
        };
        UpdateJobBody: {
            name: string;
            description?: string | null;
            connector_mapping: {
                [key: string]: number;
            };
        };
        UpdateJobTemplateBody: {
            name: string;
            description?: string | null;
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/job-template](/api/schemas/job-template). All keys, with examples: `docs/reference/job-template.md` of the package
             * @example version: 1
             *     name: orders
             *     description: A shop's orders, every night
             *     connectors:
             *       file: { type: csv }
             *       warehouse: { type: postgres }
             *     job_config:
             *       filter:
             *         type: form
             *         title: What is imported
             *         fields:
             *           - { key: leave_out_cancelled, label: Leave out cancelled orders, type: boolean, default: true }
             *     tasks:
             *       orders: { task: load_orders }
             *       totals: { task: sum_up_orders, needs: [orders] }
             */
            yaml_content: string;
        };
        UpdateMetricsConfigBody: {
            /** @enum {string} */
            backend?: "noop" | "localdb" | "statsd" | "http" | "serverdb";
            /** @description Default: the backend */
            name?: string;
            /** @description Keys by backend. noop: none. localdb: path, retention_days. statsd: host, port, prefix, tags, tag_format (datadog or none), buffer_bytes, flush_ms. http: url, key. serverdb: url (without it, the database of the server’s own state), retention_days. Secrets (key of http, url of serverdb) read as "********"; writing that keeps the stored value. */
            config?: {
                [key: string]: unknown;
            };
            /** @description Default true */
            enabled?: boolean;
        };
        UpdateOwnUserBody: {
            name: string;
        };
        UpdateServerConfigBody: {
            /** @description By key: a value, or a map with `value` as in the answer; null for the default */
            settings: {
                [key: string]: unknown;
            };
        };
        UpdateTaskBody: {
            /** @description Default: the name in the YAML */
            name?: string;
            description?: string | null;
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/task](/api/schemas/task). All keys, with examples: `docs/language/README.md` of the package
             * @example version: 1
             *     name: load_orders
             *     description: Orders from a CSV file into PostgreSQL
             *     connectors:
             *       file: { type: csv }
             *       warehouse: { type: postgres }
             *     retry: { max_attempts: 3, delay: 5s }
             *     steps:
             *       - { id: read, kind: extract, connector: file, method: read }
             *       - id: shape
             *         kind: transform
             *         input: read
             *         ops:
             *           - cast: { order_id: integer, quantity: integer, unit_price: number }
             *           - filter: item.status != 'cancelled'
             *           - set: { amount: "$round(item.quantity * item.unit_price, 2)" }
             *         on_error: { action: dead_letter, max_error_rate: 0.05 }
             *       - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }
             */
            yaml_content: string;
        };
        UpdateTriggerBody: {
            /** @description Five fields, or a nickname such as "@daily" */
            cron?: string;
            /** @description Default: the cron expression */
            name?: string;
            /** @description An IANA time zone name; default UTC */
            timezone?: string;
            /** @description Default true */
            enabled?: boolean;
            /**
             * @description While a run of the job is running: skip the time (default), queue_one or queue_all of them, cancel_running (it is cancelled, reason overlap, and the newest time starts after it), or allow one more run
             * @enum {string}
             */
            overlap?: "skip" | "queue_one" | "queue_all" | "cancel_running" | "allow";
            /**
             * @description Times missed while no server was running: run none (default), the latest, or all
             * @enum {string}
             */
            catchup?: "none" | "latest" | "all";
            /**
             * @description A duration such as "6h": times missed longer ago are never caught up on; null: whatever their age (default)
             * @example 6h
             */
            catchup_window?: string | null;
            /** @description The longest delay of a run after its scheduled time, so that not all start at once; the actual delay is fixed for each trigger and time, and ends before the next time. scheduled_for stays the scheduled time. Default 0 */
            jitter_seconds?: number;
            /**
             * @description Inclusive start of the schedule; null: no bound (default)
             * @example 2026-01-15T00:00:00Z
             */
            start_at?: string | null;
            /**
             * @description Exclusive end of the schedule; null: no bound (default)
             * @example 2030-12-31T00:00:00Z
             */
            end_at?: string | null;
            /** @description Disable it after this many failed scheduled runs in a row; null: never (default) */
            pause_after_failures?: number | null;
        };
        /** @description Keys that are left out keep their value */
        UpdateUserBody: {
            /** Format: email */
            email?: string;
            name?: string;
            /** @enum {string} */
            role?: "viewer" | "operator" | "editor" | "admin" | "superadmin";
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        UpdateWebhookBody: {
            name?: string;
            /**
             * @description http or https, without user name and password
             * @example https://alerts.example.com/headgate
             */
            url?: string;
            /** @description The kinds of event, or "*" for all, including future ones */
            events?: "*" | ("job_run.succeeded" | "job_run.failed" | "run.failing" | "run.recovered" | "trigger.paused")[];
            description?: string | null;
            /**
             * @description Only events of these jobs; null: of all
             * @example null
             */
            job_ids?: number[] | null;
            /** @description Default true */
            enabled?: boolean;
        };
        /** @default {} */
        UpgradeJobBody: {
            /**
             * @description Only make the plan
             * @default false
             */
            dry_run?: boolean;
            /** @description From a dry run: apply exactly that plan, or fail with 409 */
            plan_hash?: string;
            /** @description Take the current YAML of the template. Default: true, or false if `tasks` is set */
            template?: boolean;
            /** @description Keys of the tasks to pin to their current versions. Default: all */
            tasks?: string[];
            /** @description Dashboards to snapshot again, modified or not; false for none. Default: all that differ from their templates except modified ones, and those that the job does not have yet */
            dashboards?: false | number[];
            /**
             * @description Also overwrite modified dashboards that are not named
             * @default false
             */
            force?: boolean;
            /**
             * @description Merged over the job’s mapping: for new connectors of the template, or to change existing ones
             * @default {}
             */
            connector_mapping?: {
                [key: string]: number;
            };
            /**
             * @description Merged over the job’s configuration; the result must be valid for the template
             * @default {}
             */
            config?: {
                [key: string]: unknown;
            };
        };
        User: {
            id: number;
            email: string;
            name: string;
            role: string;
            status: string;
            totp_enabled: boolean;
            created_at: string;
            updated_at: string;
        };
        ValidateDashboardAnswer: {
            valid: boolean;
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            /** @description Normalized: always pages */
            document?: {
                [key: string]: unknown;
            };
        };
        ValidateDashboardBody: {
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/dashboard](/api/schemas/dashboard). All keys, with examples: `docs/reference/dashboard.md` of the package
             * @example dashboard:
             *       title: Orders
             *       refresh_interval_seconds: 30
             *       widgets:
             *         - { id: title, type: heading, text: What was sold }
             *         - id: by_day
             *           type: bar_chart
             *           title: Revenue by day
             *           connector: warehouse
             *           method: query
             *           args: { sql: "SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1" }
             *           x_expr: item.day
             *           series: [{ label: Revenue, value_expr: item.revenue }]
             *         - { id: run, type: task_progress, task_key: orders, title: The newest run }
             */
            yaml_content: string;
            vars?: {
                [key: string]: unknown;
            };
        };
        ValidateDashboardTemplateAnswer: {
            valid: boolean;
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            /** @description Only if valid: the normalized document, always with pages; variables are not replaced */
            document?: {
                [key: string]: unknown;
            };
        };
        ValidateDashboardTemplateBody: {
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/dashboard](/api/schemas/dashboard). All keys, with examples: `docs/reference/dashboard.md` of the package
             * @example dashboard:
             *       title: Orders
             *       refresh_interval_seconds: 30
             *       widgets:
             *         - { id: title, type: heading, text: What was sold }
             *         - id: by_day
             *           type: bar_chart
             *           title: Revenue by day
             *           connector: warehouse
             *           method: query
             *           args: { sql: "SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1" }
             *           x_expr: item.day
             *           series: [{ label: Revenue, value_expr: item.revenue }]
             *         - { id: run, type: task_progress, task_key: orders, title: The newest run }
             */
            yaml_content: string;
        };
        ValidateJobTemplateAnswer: {
            valid: boolean;
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            warnings: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            /** @description Its tasks level by level; null where the text cannot be read as a template */
            dag: components["schemas"]["Dag"] | null;
        };
        ValidateJobTemplateBody: {
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/job-template](/api/schemas/job-template). All keys, with examples: `docs/reference/job-template.md` of the package
             * @example version: 1
             *     name: orders
             *     description: A shop's orders, every night
             *     connectors:
             *       file: { type: csv }
             *       warehouse: { type: postgres }
             *     job_config:
             *       filter:
             *         type: form
             *         title: What is imported
             *         fields:
             *           - { key: leave_out_cancelled, label: Leave out cancelled orders, type: boolean, default: true }
             *     tasks:
             *       orders: { task: load_orders }
             *       totals: { task: sum_up_orders, needs: [orders] }
             */
            yaml_content: string;
        };
        ValidateTaskAnswer: {
            valid: boolean;
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            /** @description The connectors that the task declares; null for a text with problems */
            connectors: {
                [key: string]: {
                    type: string;
                };
            } | null;
        };
        ValidateTaskBody: {
            /**
             * @description YAML; its JSON Schema is at [/api/schemas/task](/api/schemas/task). All keys, with examples: `docs/language/README.md` of the package
             * @example version: 1
             *     name: load_orders
             *     description: Orders from a CSV file into PostgreSQL
             *     connectors:
             *       file: { type: csv }
             *       warehouse: { type: postgres }
             *     retry: { max_attempts: 3, delay: 5s }
             *     steps:
             *       - { id: read, kind: extract, connector: file, method: read }
             *       - id: shape
             *         kind: transform
             *         input: read
             *         ops:
             *           - cast: { order_id: integer, quantity: integer, unit_price: number }
             *           - filter: item.status != 'cancelled'
             *           - set: { amount: "$round(item.quantity * item.unit_price, 2)" }
             *         on_error: { action: dead_letter, max_error_rate: 0.05 }
             *       - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }
             */
            yaml_content: string;
        };
        VerifyTotpAnswer: {
            success: boolean;
        };
        VerifyTotpBody: {
            /** @example 492817 */
            code: string;
        };
        VersionDiff: {
            version: number;
            /** @description Null for the first version, which has nothing to compare with */
            against: number | null;
            /** @description A unified diff of the YAML, from `against` to `version`; empty if the texts are equal */
            diff: string;
        };
        /**
         * @example {
         *       "id": 3,
         *       "name": "on call",
         *       "description": null,
         *       "url": "https://alerts.example.com/headgate",
         *       "events": [
         *         "run.failing",
         *         "run.recovered"
         *       ],
         *       "job_ids": null,
         *       "enabled": true,
         *       "previous_secret_until": null,
         *       "last_success_at": "2026-01-15T01:00:03.512Z",
         *       "last_failure_at": null,
         *       "consecutive_failures": 0,
         *       "failing_since": null,
         *       "disabled_reason": null,
         *       "version": 1,
         *       "created_at": "2026-01-10T12:00:00.000Z",
         *       "updated_at": "2026-01-10T12:00:00.000Z",
         *       "updated_by": "ada@example.com"
         *     }
         */
        Webhook: {
            id: number;
            name: string;
            description: string | null;
            url: string;
            events: "*" | ("job_run.succeeded" | "job_run.failed" | "run.failing" | "run.recovered" | "trigger.paused")[];
            job_ids: number[] | null;
            enabled: boolean;
            /** @description Until then, messages are also signed with the previous secret */
            previous_secret_until: string | null;
            last_success_at: string | null;
            last_failure_at: string | null;
            /** @description Failed attempts since the last success */
            consecutive_failures: number;
            failing_since: string | null;
            /** @description Why the server disabled it */
            disabled_reason: string | null;
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string | null;
        };
        /**
         * @example {
         *       "id": 17,
         *       "webhook_id": 3,
         *       "event_id": "msg_4f1d8c07b2a95e63c0ffee12ab34cd56",
         *       "event": "run.failing",
         *       "status": "delivered",
         *       "attempts": 2,
         *       "next_attempt_at": null,
         *       "last_attempt_at": "2026-01-15T01:00:08.104Z",
         *       "response_status": 204,
         *       "error": null,
         *       "duration_ms": 41,
         *       "created_at": "2026-01-15T01:00:03.012Z",
         *       "ended_at": "2026-01-15T01:00:08.145Z"
         *     }
         */
        WebhookDelivery: {
            id: number;
            webhook_id: number;
            /** @description The webhook-id header of every attempt */
            event_id: string;
            /**
             * @description job_run.succeeded and job_run.failed: every end of a job run that was not cancelled; warnings count as success. run.failing: the first failure of a job since its last success, once. run.recovered: the first success after it. trigger.paused: a trigger was disabled because its runs failed too often in a row
             * @enum {string}
             */
            event: "job_run.succeeded" | "job_run.failed" | "run.failing" | "run.recovered" | "trigger.paused" | "webhook.test";
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** @description Null once it has ended */
            next_attempt_at: string | null;
            last_attempt_at: string | null;
            /** @description The status of the last attempt; null if there was no answer */
            response_status: number | null;
            error: string | null;
            duration_ms: number | null;
            created_at: string;
            ended_at: string | null;
        };
        WebhookPayload: components["schemas"]["JobRunSucceededEvent"] | components["schemas"]["JobRunFailedEvent"] | components["schemas"]["JobFailingEvent"] | components["schemas"]["JobRecoveredEvent"] | components["schemas"]["TriggerPausedEvent"] | components["schemas"]["WebhookTestEvent"];
        /**
         * @example {
         *       "queued": 12,
         *       "remaining": 0
         *     }
         */
        WebhookRedelivery: {
            queued: number;
            /** @description Failed deliveries that are not queued */
            remaining: number;
        };
        WebhookTest: {
            webhook_id: number;
        };
        WebhookTestEvent: {
            /** @constant */
            type: "webhook.test";
            /** @description When it happened */
            timestamp: string;
            data: components["schemas"]["WebhookTest"];
        };
        /**
         * @example {
         *       "id": 17,
         *       "webhook_id": 3,
         *       "event_id": "msg_4f1d8c07b2a95e63c0ffee12ab34cd56",
         *       "event": "run.failing",
         *       "status": "delivered",
         *       "attempts": 2,
         *       "next_attempt_at": null,
         *       "last_attempt_at": "2026-01-15T01:00:08.104Z",
         *       "response_status": 204,
         *       "error": null,
         *       "duration_ms": 41,
         *       "created_at": "2026-01-15T01:00:03.012Z",
         *       "ended_at": "2026-01-15T01:00:08.145Z",
         *       "payload": {
         *         "type": "run.failing",
         *         "timestamp": "2026-01-15T01:00:03.012Z",
         *         "data": {
         *           "job_run_id": 31,
         *           "job_id": 2,
         *           "job_name": "orders of Acme",
         *           "trigger_id": 4,
         *           "status": "error",
         *           "reason": "schedule",
         *           "scheduled_for": "2026-01-15T01:00:00.000Z",
         *           "ended_at": "2026-01-15T01:00:03.012Z",
         *           "since": "2026-01-15T01:00:03.012Z"
         *         }
         *       },
         *       "response_body": ""
         *     }
         */
        WholeWebhookDelivery: {
            id: number;
            webhook_id: number;
            /** @description The webhook-id header of every attempt */
            event_id: string;
            /**
             * @description job_run.succeeded and job_run.failed: every end of a job run that was not cancelled; warnings count as success. run.failing: the first failure of a job since its last success, once. run.recovered: the first success after it. trigger.paused: a trigger was disabled because its runs failed too often in a row
             * @enum {string}
             */
            event: "job_run.succeeded" | "job_run.failed" | "run.failing" | "run.recovered" | "trigger.paused" | "webhook.test";
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** @description Null once it has ended */
            next_attempt_at: string | null;
            last_attempt_at: string | null;
            /** @description The status of the last attempt; null if there was no answer */
            response_status: number | null;
            error: string | null;
            duration_ms: number | null;
            created_at: string;
            ended_at: string | null;
            payload: components["schemas"]["WebhookPayload"];
            /** @description The beginning of the last attempt’s answer */
            response_body: string | null;
        };
        WidgetAction: {
            /** @enum {string} */
            outcome: "started" | "done";
            message: string | null;
            job_run_id: number | null;
            result: unknown;
            cooldown_until: string | null;
        };
        WidgetBatchDataResponse: {
            widgets: {
                [key: string]: {
                    data?: unknown;
                    error?: string;
                    /**
                     * @description Only with `wait_ms`: not there yet, ask for it again
                     * @constant
                     */
                    pending?: true;
                };
            };
        };
        WidgetOption: {
            label: string;
            value: string;
            subText?: string;
        };
        WidgetOptionsRequestInput: {
            /** @description `source` or `target` of a mapping, or the key of a field */
            side?: string;
            /** @description Search text */
            q?: string;
            /** @description Omit for the first page */
            cursor?: string;
            /** @description The draft that dependent sources read */
            value?: unknown;
        } | null;
        WidgetOptionsResponse: {
            options: components["schemas"]["WidgetOption"][];
            next_cursor: string | null;
        };
        WidgetRows: {
            columns: {
                [key: string]: unknown;
            }[];
            rows: {
                [key: string]: unknown;
            }[];
            next_cursor: string | null;
            total?: number;
        };
        WidgetSubmit: {
            saved: boolean;
            problems: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            /** @description Fields that are hidden for this value */
            hidden: string[];
            value: unknown;
            version: number;
        };
    };
    responses: {
        /** @description `VALIDATION_ERROR`: The request is not valid; `details` lists every problem */
        VALIDATION_ERROR: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "VALIDATION_ERROR",
                 *       "message": "The request is not valid; `details` lists every problem",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `AUTH_ERROR`: Not authenticated */
        AUTH_ERROR: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "AUTH_ERROR",
                 *       "message": "Not authenticated",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `FORBIDDEN`: The role or scope does not suffice; the message names it */
        FORBIDDEN: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "FORBIDDEN",
                 *       "message": "The role or scope does not suffice; the message names it",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND`: There is no such resource */
        NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "NOT_FOUND",
                 *       "message": "There is no such resource",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `CONFLICT`: The state of the resource, or a running request, does not allow it */
        CONFLICT: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "CONFLICT",
                 *       "message": "The state of the resource, or a running request, does not allow it",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `PRECONDITION_FAILED`: The resource has changed since the version that `If-Match` names */
        PRECONDITION_FAILED: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "PRECONDITION_FAILED",
                 *       "message": "The resource has changed since the version that `If-Match` names",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than the server accepts */
        PAYLOAD_TOO_LARGE: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "PAYLOAD_TOO_LARGE",
                 *       "message": "The body is larger than the server accepts",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be `application/json` */
        UNSUPPORTED_MEDIA_TYPE: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "UNSUPPORTED_MEDIA_TYPE",
                 *       "message": "The body must be `application/json`",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `UNPROCESSABLE`: Understood, but impossible with this content */
        UNPROCESSABLE: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "UNPROCESSABLE",
                 *       "message": "Understood, but impossible with this content",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests or failed attempts */
        RATE_LIMITED: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "RATE_LIMITED",
                 *       "message": "Too many requests or failed attempts",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `INTERNAL_ERROR`: Something failed on the server; the request id helps to find it */
        INTERNAL_ERROR: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "INTERNAL_ERROR",
                 *       "message": "Something failed on the server; the request id helps to find it",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `CONNECTOR_ERROR`: The other end of a connector failed; the message says how */
        CONNECTOR_ERROR: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "CONNECTOR_ERROR",
                 *       "message": "The other end of a connector failed; the message says how",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_READY`: A component that this needs is unavailable at the moment; try again */
        NOT_READY: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "NOT_READY",
                 *       "message": "A component that this needs is unavailable at the moment; try again",
                 *       "request_id": "7d1f0c5e9ab24c36"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `VALIDATION_ERROR`: The request did not arrive in time */
        REQUEST_TIMEOUT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "VALIDATION_ERROR",
                 *       "message": "The request did not arrive in time",
                 *       "request_id": ""
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The address and headers of the request are too long */
        HEADERS_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "PAYLOAD_TOO_LARGE",
                 *       "message": "The address and headers of the request are too long",
                 *       "request_id": ""
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names the request in the server’s log and in audit entries: the one that was sent, or a new one */
        "X-Request-Id": string;
        /** @description Requests that the client’s address may send in a minute */
        "X-RateLimit-Limit": number;
        /** @description Requests that are left in this minute */
        "X-RateLimit-Remaining": number;
        /** @description Seconds until the minute ends */
        "X-RateLimit-Reset": number;
        /** @description Seconds until the same request may succeed, where it may */
        "Retry-After": number;
        /** @description The way to authenticate: a bearer token */
        "WWW-Authenticate": string;
        /** @description `true`: the stored answer of an earlier request with this `Idempotency-Key` */
        "Idempotent-Replayed": "true";
        /** @description The version of the record, for `If-Match` and `If-None-Match` */
        ETag: string;
        /** @description The next page of a list, relative to the request; none on the last page */
        Link: string;
        /** @description The name under which to save the file */
        "Content-Disposition": string;
        /** @description The cookies of the session, or those that are deleted */
        "Set-Cookie": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "setup_required": true
                     *     }
                     */
                    "application/json": components["schemas"]["GetSetupAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "token",
                 *       "email": "ada@example.com",
                 *       "name": "Nightly import",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["SetUpBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "otpauth_url": "otpauth_url",
                     *       "secret": "secret",
                     *       "qr_svg": "qr_svg",
                     *       "recovery_codes": [
                     *         "recovery_codes"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TotpEnrolment"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totp_required": true,
                     *       "totp_enrolment": {
                     *         "otpauth_url": "otpauth_url",
                     *         "secret": "secret",
                     *         "qr_svg": "qr_svg",
                     *         "recovery_codes": [
                     *           "recovery_codes"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    verifyTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "492817"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyTotpBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["VerifyTotpAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "api_key": {
                     *         "id": 7,
                     *         "name": "Nightly import",
                     *         "prefix": "prefix",
                     *         "scopes": [
                     *           "scopes"
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "previous_expires_at": "2026-01-15T12:00:00.000Z",
                     *         "last_used_at": "2026-01-15T12:00:00.000Z",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "user_id": 7
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current": "current",
                 *       "new": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "last_seen_at": "2026-01-15T12:00:00.000Z",
                     *           "expires_at": "2026-01-15T12:00:00.000Z",
                     *           "address": "address",
                     *           "user_agent": "user_agent",
                     *           "current": true
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListSessionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": 7
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteOtherSessionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, prefix, scopes, expires_at, previous_expires_at, last_used_at, created_at, user_id */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "prefix": "prefix",
                     *           "scopes": [
                     *             "scopes"
                     *           ],
                     *           "expires_at": "2026-01-15T12:00:00.000Z",
                     *           "previous_expires_at": "2026-01-15T12:00:00.000Z",
                     *           "last_used_at": "2026-01-15T12:00:00.000Z",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "user_id": 7
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListApiKeysAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly build",
                 *       "scopes": [
                 *         "tasks:write",
                 *         "jobs:run"
                 *       ],
                 *       "expires_at": null
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "prefix": "prefix",
                     *       "scopes": [
                     *         "scopes"
                     *       ],
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "previous_expires_at": "2026-01-15T12:00:00.000Z",
                     *       "last_used_at": "2026-01-15T12:00:00.000Z",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "user_id": 7,
                     *       "token": "token"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getApiKey: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, prefix, scopes, expires_at, previous_expires_at, last_used_at, created_at, user_id */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "prefix": "prefix",
                     *       "scopes": [
                     *         "scopes"
                     *       ],
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "previous_expires_at": "2026-01-15T12:00:00.000Z",
                     *       "last_used_at": "2026-01-15T12:00:00.000Z",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "user_id": 7
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RotateApiKeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "prefix": "prefix",
                     *       "scopes": [
                     *         "scopes"
                     *       ],
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "previous_expires_at": "2026-01-15T12:00:00.000Z",
                     *       "last_used_at": "2026-01-15T12:00:00.000Z",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "user_id": 7,
                     *       "token": "token"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listApiKeyScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         "result"
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListApiKeyScopesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateOwnUserBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "email" | "-email" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those with this role */
                role?: "viewer" | "operator" | "editor" | "admin" | "superadmin";
                /** @description Only those with this status */
                status?: "active" | "disabled";
                /** @description Part of the email or the name, in upper or lower case; of fewer than three characters: its beginning */
                q?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, email, name, role, status, totp_enabled, created_at, updated_at */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "email": "ada@example.com",
                     *           "name": "Nightly import",
                     *           "role": "role",
                     *           "status": "status",
                     *           "totp_enabled": true,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListUsersAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Nightly import",
                 *       "role": "viewer",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["CreateUserBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, email, name, role, status, totp_enabled, created_at, updated_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description Keys that are left out keep their value */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Nightly import",
                 *       "role": "viewer",
                 *       "status": "active"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUserBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    resetUserTotp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    unlockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "email": "ada@example.com",
                     *       "name": "Nightly import",
                     *       "role": "role",
                     *       "status": "status",
                     *       "totp_enabled": true,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    resetUserPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "password": "correct horse battery staple"
                     *     }
                     */
                    "application/json": components["schemas"]["ResetUserPasswordAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listConnectors: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "type" | "-type" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those of this type */
                type?: string;
                /** @description Part of the name, in upper or lower case; of fewer than three characters: its beginning */
                q?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, type, description, config, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 3,
                     *           "name": "warehouse",
                     *           "type": "postgres",
                     *           "description": null,
                     *           "config": {
                     *             "host": "db.example.com",
                     *             "database": "warehouse",
                     *             "user": "etl",
                     *             "password": "********"
                     *           },
                     *           "version": 1,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_by": "ada@example.com"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListConnectorsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "warehouse",
                 *       "type": "postgres",
                 *       "description": "Where the orders go",
                 *       "config": {
                 *         "host": "db.example.com",
                 *         "database": "warehouse",
                 *         "user": "etl",
                 *         "password": "s3cret"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateConnectorBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "name": "warehouse",
                     *       "type": "postgres",
                     *       "description": null,
                     *       "config": {
                     *         "host": "db.example.com",
                     *         "database": "warehouse",
                     *         "user": "etl",
                     *         "password": "********"
                     *       },
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getConnector: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, type, description, config, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "name": "warehouse",
                     *       "type": "postgres",
                     *       "description": null,
                     *       "config": {
                     *         "host": "db.example.com",
                     *         "database": "warehouse",
                     *         "user": "etl",
                     *         "password": "********"
                     *       },
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "warehouse",
                 *       "type": "postgres",
                 *       "description": "Where the orders go",
                 *       "config": {
                 *         "host": "db.example.com",
                 *         "database": "warehouse",
                 *         "user": "etl",
                 *         "password": "s3cret"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateConnectorBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "name": "warehouse",
                     *       "type": "postgres",
                     *       "description": null,
                     *       "config": {
                     *         "host": "db.example.com",
                     *         "database": "warehouse",
                     *         "user": "etl",
                     *         "password": "********"
                     *       },
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listConnectorUses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "status": "active",
                     *           "bound_as": [
                     *             "bound_as"
                     *           ],
                     *           "last_run": {
                     *             "id": 7,
                     *             "status": "status",
                     *             "created_at": "2026-01-15T12:00:00.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListConnectorUsesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    testConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "message": "PostgreSQL 18.4",
                     *       "duration_ms": 12
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorTest"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    introspectConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "resource": "public.orders",
                 *       "integrated_account_id": "integrated_account_id",
                 *       "surface": "all",
                 *       "delimiter": "delimiter",
                 *       "separator": "separator",
                 *       "limit": 50,
                 *       "cursor": "opaque",
                 *       "q": "order",
                 *       "integration": "integration",
                 *       "refresh": true
                 *     }
                 */
                "application/json": components["schemas"]["IntrospectConnectorBody"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resources": [
                     *         {
                     *           "name": "contacts",
                     *           "type": "table"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "fallback": false
                     *     }
                     */
                    "application/json": components["schemas"]["Introspection"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    exploreConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resource": "public.orders",
                 *       "columns": [
                 *         "order_id",
                 *         "total"
                 *       ],
                 *       "filter": {
                 *         "total": {
                 *           "gte": 100
                 *         }
                 *       },
                 *       "sort": [
                 *         "-total"
                 *       ],
                 *       "limit": 50
                 *     }
                 */
                "application/json": components["schemas"]["ExploreConnectorBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "columns": [
                     *         {
                     *           "name": "Nightly import",
                     *           "type": "postgres",
                     *           "nullable": true
                     *         }
                     *       ],
                     *       "rows": [
                     *         {}
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ExplorerPage"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getConnectorOauthApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "needs_byoa": true,
                     *       "configured": true,
                     *       "oauth_app_mode": "platform_default",
                     *       "client_id": "client_id",
                     *       "format": "format",
                     *       "installed_integration_id": "installed_integration_id"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthApp"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    putConnectorOauthApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "client_id",
                 *       "client_secret": "client_secret",
                 *       "format": "format"
                 *     }
                 */
                "application/json": components["schemas"]["PutConnectorOauthAppBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "needs_byoa": true,
                     *       "configured": true,
                     *       "oauth_app_mode": "platform_default",
                     *       "client_id": "client_id",
                     *       "format": "format",
                     *       "installed_integration_id": "installed_integration_id"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthApp"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listConnectorTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "type": "postgres",
                     *           "title": "title",
                     *           "config": {},
                     *           "secrets": [
                     *             "secrets"
                     *           ],
                     *           "capabilities": {
                     *             "write": [
                     *               "write"
                     *             ],
                     *             "introspect": true
                     *           },
                     *           "methods": [
                     *             {
                     *               "name": "Nightly import",
                     *               "summary": "summary",
                     *               "kind": "extract",
                     *               "read_only": true,
                     *               "args": {}
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListConnectorTypesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    testUnsavedConnector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "dummy",
                 *       "config": {}
                 *     }
                 */
                "application/json": components["schemas"]["TestUnsavedConnectorBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "message": "PostgreSQL 18.4",
                     *       "duration_ms": 12
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorTest"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listExplorerPresets: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those of this connector */
                connector_id?: number;
                /** @description Only those with this visibility */
                visibility?: "team" | "private";
                /** @description Part of the name, in upper or lower case; of fewer than three characters: its beginning */
                q?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, connector_id, resource, columns, filter, sort, visibility, owner_id, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 4,
                     *           "name": "Open orders",
                     *           "description": null,
                     *           "connector_id": 3,
                     *           "resource": "public.orders",
                     *           "columns": [
                     *             "id",
                     *             "customer",
                     *             "total"
                     *           ],
                     *           "filter": {
                     *             "status": "open",
                     *             "total": {
                     *               "gte": 100
                     *             }
                     *           },
                     *           "sort": [
                     *             "-created_at"
                     *           ],
                     *           "visibility": "team",
                     *           "owner_id": null,
                     *           "version": 1,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_by": "ada@example.com"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListExplorerPresetsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createExplorerPreset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "connector_id": 7,
                 *       "resource": "public.orders",
                 *       "columns": [
                 *         "columns"
                 *       ],
                 *       "filter": {},
                 *       "sort": [
                 *         "sort"
                 *       ],
                 *       "visibility": "team"
                 *     }
                 */
                "application/json": components["schemas"]["CreateExplorerPresetBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "name": "Open orders",
                     *       "description": null,
                     *       "connector_id": 3,
                     *       "resource": "public.orders",
                     *       "columns": [
                     *         "id",
                     *         "customer",
                     *         "total"
                     *       ],
                     *       "filter": {
                     *         "status": "open",
                     *         "total": {
                     *           "gte": 100
                     *         }
                     *       },
                     *       "sort": [
                     *         "-created_at"
                     *       ],
                     *       "visibility": "team",
                     *       "owner_id": null,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["ExplorerPreset"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getExplorerPreset: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, connector_id, resource, columns, filter, sort, visibility, owner_id, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "name": "Open orders",
                     *       "description": null,
                     *       "connector_id": 3,
                     *       "resource": "public.orders",
                     *       "columns": [
                     *         "id",
                     *         "customer",
                     *         "total"
                     *       ],
                     *       "filter": {
                     *         "status": "open",
                     *         "total": {
                     *           "gte": 100
                     *         }
                     *       },
                     *       "sort": [
                     *         "-created_at"
                     *       ],
                     *       "visibility": "team",
                     *       "owner_id": null,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["ExplorerPreset"];
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateExplorerPreset: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "connector_id": 7,
                 *       "resource": "public.orders",
                 *       "columns": [
                 *         "columns"
                 *       ],
                 *       "filter": {},
                 *       "sort": [
                 *         "sort"
                 *       ],
                 *       "visibility": "team"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateExplorerPresetBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "name": "Open orders",
                     *       "description": null,
                     *       "connector_id": 3,
                     *       "resource": "public.orders",
                     *       "columns": [
                     *         "id",
                     *         "customer",
                     *         "total"
                     *       ],
                     *       "filter": {
                     *         "status": "open",
                     *         "total": {
                     *           "gte": 100
                     *         }
                     *       },
                     *       "sort": [
                     *         "-created_at"
                     *       ],
                     *       "visibility": "team",
                     *       "owner_id": null,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["ExplorerPreset"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteExplorerPreset: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those with this status */
                status?: "active" | "archived";
                /** @description Part of the name, in upper or lower case; of fewer than three characters: its beginning */
                q?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, yaml_content, version, status, labels, connectors, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "description": "Every night, before the figures are read",
                     *           "yaml_content": "yaml_content",
                     *           "version": 3,
                     *           "status": "status",
                     *           "labels": {},
                     *           "connectors": {},
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_by": "updated_by"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListTasksAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "yaml_content": "version: 1\nname: load_orders\ndescription: Orders from a CSV file into PostgreSQL\nconnectors:\n  file: { type: csv }\n  warehouse: { type: postgres }\nretry: { max_attempts: 3, delay: 5s }\nsteps:\n  - { id: read, kind: extract, connector: file, method: read }\n  - id: shape\n    kind: transform\n    input: read\n    ops:\n      - cast: { order_id: integer, quantity: integer, unit_price: number }\n      - filter: item.status != 'cancelled'\n      - set: { amount: \"$round(item.quantity * item.unit_price, 2)\" }\n    on_error: { action: dead_letter, max_error_rate: 0.05 }\n  - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }\n"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTaskBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "version": 3,
                     *       "status": "status",
                     *       "labels": {},
                     *       "connectors": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getTask: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, yaml_content, version, status, labels, connectors, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "version": 3,
                     *       "status": "status",
                     *       "labels": {},
                     *       "connectors": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "yaml_content": "version: 1\nname: load_orders\ndescription: Orders from a CSV file into PostgreSQL\nconnectors:\n  file: { type: csv }\n  warehouse: { type: postgres }\nretry: { max_attempts: 3, delay: 5s }\nsteps:\n  - { id: read, kind: extract, connector: file, method: read }\n  - id: shape\n    kind: transform\n    input: read\n    ops:\n      - cast: { order_id: integer, quantity: integer, unit_price: number }\n      - filter: item.status != 'cancelled'\n      - set: { amount: \"$round(item.quantity * item.unit_price, 2)\" }\n    on_error: { action: dead_letter, max_error_rate: 0.05 }\n  - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }\n"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTaskBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "version": 3,
                     *       "status": "status",
                     *       "labels": {},
                     *       "connectors": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    archiveTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "version": 3,
                     *       "status": "status",
                     *       "labels": {},
                     *       "connectors": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    activateTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "version": 3,
                     *       "status": "status",
                     *       "labels": {},
                     *       "connectors": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listTaskVersions: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: version, yaml_content, created_at, created_by */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "version": 3,
                     *           "yaml_content": "yaml_content",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "created_by": "created_by"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListTaskVersionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getTaskVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The number of the version
                 * @example 3
                 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 3,
                     *       "yaml_content": "yaml_content",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by"
                     *     }
                     */
                    "application/json": components["schemas"]["DefinitionVersion"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    diffTaskVersion: {
        parameters: {
            query?: {
                /** @description The version to compare with; default: the previous one */
                against?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The number of the version
                 * @example 3
                 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 3,
                     *       "against": 7,
                     *       "diff": "diff"
                     *     }
                     */
                    "application/json": components["schemas"]["VersionDiff"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    restoreTaskVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The number of the version
                 * @example 3
                 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "version": 3,
                     *       "status": "status",
                     *       "labels": {},
                     *       "connectors": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listTaskUses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobs": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "status": "status",
                     *           "task_key": "orders",
                     *           "task_version": 7
                     *         }
                     *       ],
                     *       "job_templates": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "status": "status",
                     *           "task_keys": [
                     *             "task_keys"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TaskUses"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    validateTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "yaml_content": "version: 1\nname: load_orders\ndescription: Orders from a CSV file into PostgreSQL\nconnectors:\n  file: { type: csv }\n  warehouse: { type: postgres }\nretry: { max_attempts: 3, delay: 5s }\nsteps:\n  - { id: read, kind: extract, connector: file, method: read }\n  - id: shape\n    kind: transform\n    input: read\n    ops:\n      - cast: { order_id: integer, quantity: integer, unit_price: number }\n      - filter: item.status != 'cancelled'\n      - set: { amount: \"$round(item.quantity * item.unit_price, 2)\" }\n    on_error: { action: dead_letter, max_error_rate: 0.05 }\n  - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }\n"
                 *     }
                 */
                "application/json": components["schemas"]["ValidateTaskBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "problems": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ],
                     *       "connectors": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ValidateTaskAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    previewTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "yaml_content": "version: 1\nname: load_orders\ndescription: Orders from a CSV file into PostgreSQL\nconnectors:\n  file: { type: csv }\n  warehouse: { type: postgres }\nretry: { max_attempts: 3, delay: 5s }\nsteps:\n  - { id: read, kind: extract, connector: file, method: read }\n  - id: shape\n    kind: transform\n    input: read\n    ops:\n      - cast: { order_id: integer, quantity: integer, unit_price: number }\n      - filter: item.status != 'cancelled'\n      - set: { amount: \"$round(item.quantity * item.unit_price, 2)\" }\n    on_error: { action: dead_letter, max_error_rate: 0.05 }\n  - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }\n",
                 *       "connectors": {
                 *         "file": 3,
                 *         "warehouse": 4
                 *       },
                 *       "args": {},
                 *       "job_config": {},
                 *       "rows": 10,
                 *       "record": null
                 *     }
                 */
                "application/json": components["schemas"]["PreviewTaskBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "failure": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step"
                     *       },
                     *       "steps": [
                     *         {}
                     *       ],
                     *       "example": {}
                     *     }
                     */
                    "application/json": components["schemas"]["TaskPreview"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobTemplates: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those with this status */
                status?: "active" | "archived";
                /** @description Part of the name, in upper or lower case; of fewer than three characters: its beginning */
                q?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, yaml_content, status, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "description": "Every night, before the figures are read",
                     *           "yaml_content": "yaml_content",
                     *           "status": "active",
                     *           "version": 3,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_by": "updated_by"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobTemplatesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createJobTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "yaml_content": "version: 1\nname: orders\ndescription: A shop's orders, every night\nconnectors:\n  file: { type: csv }\n  warehouse: { type: postgres }\njob_config:\n  filter:\n    type: form\n    title: What is imported\n    fields:\n      - { key: leave_out_cancelled, label: Leave out cancelled orders, type: boolean, default: true }\ntasks:\n  orders: { task: load_orders }\n  totals: { task: sum_up_orders, needs: [orders] }\n"
                 *     }
                 */
                "application/json": components["schemas"]["CreateJobTemplateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       },
                     *       "connectors": {},
                     *       "warnings": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SavedJobTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJobTemplate: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, yaml_content, status, version, created_at, updated_at, updated_by, dag, connectors */
                fields?: string;
            };
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       },
                     *       "connectors": {}
                     *     }
                     */
                    "application/json": components["schemas"]["JobTemplateDetail"];
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateJobTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "yaml_content": "version: 1\nname: orders\ndescription: A shop's orders, every night\nconnectors:\n  file: { type: csv }\n  warehouse: { type: postgres }\njob_config:\n  filter:\n    type: form\n    title: What is imported\n    fields:\n      - { key: leave_out_cancelled, label: Leave out cancelled orders, type: boolean, default: true }\ntasks:\n  orders: { task: load_orders }\n  totals: { task: sum_up_orders, needs: [orders] }\n"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateJobTemplateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       },
                     *       "connectors": {},
                     *       "warnings": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SavedJobTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteJobTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobTemplateVersions: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: version, yaml_content, created_at, created_by */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "version": 3,
                     *           "yaml_content": "yaml_content",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "created_by": "created_by"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobTemplateVersionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJobTemplateVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The number of the version
                 * @example 3
                 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 3,
                     *       "yaml_content": "yaml_content",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by"
                     *     }
                     */
                    "application/json": components["schemas"]["DefinitionVersion"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    diffJobTemplateVersion: {
        parameters: {
            query?: {
                /** @description The version to compare with; default: the previous one */
                against?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The number of the version
                 * @example 3
                 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 3,
                     *       "against": 7,
                     *       "diff": "diff"
                     *     }
                     */
                    "application/json": components["schemas"]["VersionDiff"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    restoreJobTemplateVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The number of the version
                 * @example 3
                 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       },
                     *       "connectors": {}
                     *     }
                     */
                    "application/json": components["schemas"]["JobTemplateDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    archiveJobTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["JobTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    activateJobTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "updated_by"
                     *     }
                     */
                    "application/json": components["schemas"]["JobTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    validateJobTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "yaml_content": "version: 1\nname: orders\ndescription: A shop's orders, every night\nconnectors:\n  file: { type: csv }\n  warehouse: { type: postgres }\njob_config:\n  filter:\n    type: form\n    title: What is imported\n    fields:\n      - { key: leave_out_cancelled, label: Leave out cancelled orders, type: boolean, default: true }\ntasks:\n  orders: { task: load_orders }\n  totals: { task: sum_up_orders, needs: [orders] }\n"
                 *     }
                 */
                "application/json": components["schemas"]["ValidateJobTemplateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "problems": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ],
                     *       "warnings": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ],
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ValidateJobTemplateAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobsOfTemplate: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_template_id, name, description, status, template_version, version, created_at, updated_at, connector_mapping */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_template_id": 7,
                     *           "name": "Nightly import",
                     *           "description": "Every night, before the figures are read",
                     *           "status": "active",
                     *           "template_version": 7,
                     *           "version": 3,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "connector_mapping": "connector_mapping"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobsOfTemplateAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Orders of Berlin",
                 *       "description": null,
                 *       "connector_mapping": {
                 *         "file": 3,
                 *         "warehouse": 4
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateJobBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "status": "active",
                     *       "template_version": 7,
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "connector_mapping": "connector_mapping"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobHealth: {
        parameters: {
            query: {
                /** @description Ids of jobs with commas, at most 200 */
                ids: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "job_id": 7,
                     *           "next_run_at": "2026-01-15T12:00:00.000Z",
                     *           "success_rate": 7,
                     *           "recent": [
                     *             {
                     *               "id": 7,
                     *               "status": "status",
                     *               "created_at": "2026-01-15T12:00:00.000Z",
                     *               "duration_ms": 7
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobHealthAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those with this status */
                status?: "active" | "archived";
                /** @description Only those of this job template */
                job_template_id?: number;
                /** @description Part of the name, in upper or lower case; of fewer than three characters: its beginning */
                q?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_template_id, name, description, status, template_version, version, created_at, updated_at, connector_mapping */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_template_id": 7,
                     *           "name": "Nightly import",
                     *           "description": "Every night, before the figures are read",
                     *           "status": "active",
                     *           "template_version": 7,
                     *           "version": 3,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "connector_mapping": "connector_mapping"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_template_id, name, description, status, template_version, version, created_at, updated_at, connector_mapping, overridden_task_keys, resolved_connectors, template_name, dag */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "status": "active",
                     *       "template_version": 7,
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "connector_mapping": {},
                     *       "overridden_task_keys": [
                     *         "overridden_task_keys"
                     *       ],
                     *       "resolved_connectors": {},
                     *       "template_name": "template_name",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Orders of Berlin",
                 *       "description": null,
                 *       "connector_mapping": {
                 *         "file": 3,
                 *         "warehouse": 4
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateJobBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "status": "active",
                     *       "template_version": 7,
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "connector_mapping": {},
                     *       "overridden_task_keys": [
                     *         "overridden_task_keys"
                     *       ],
                     *       "resolved_connectors": {},
                     *       "template_name": "template_name",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    archiveJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "status": "active",
                     *       "template_version": 7,
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "connector_mapping": {},
                     *       "overridden_task_keys": [
                     *         "overridden_task_keys"
                     *       ],
                     *       "resolved_connectors": {},
                     *       "template_name": "template_name",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    activateJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "status": "active",
                     *       "template_version": 7,
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "connector_mapping": {},
                     *       "overridden_task_keys": [
                     *         "overridden_task_keys"
                     *       ],
                     *       "resolved_connectors": {},
                     *       "template_name": "template_name",
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listRunsOfJob: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "created_at" | "-created_at";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, job_name, job_template_id, job_template_name, trigger_id, trigger_name, scheduled_for, interval_start, backfill_id, priority, deadline_at, reused, rerun_of, status, reason, error, args, config_snapshot, created_at, created_by, started_at, ended_at, duration_ms */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_id": 7,
                     *           "job_name": "job_name",
                     *           "job_template_id": 7,
                     *           "job_template_name": "job_template_name",
                     *           "trigger_id": 7,
                     *           "trigger_name": "trigger_name",
                     *           "scheduled_for": "scheduled_for",
                     *           "interval_start": "interval_start",
                     *           "backfill_id": 7,
                     *           "priority": 7,
                     *           "deadline_at": "2026-01-15T12:00:00.000Z",
                     *           "reused": {},
                     *           "rerun_of": 7,
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step",
                     *             "task": "task",
                     *             "run_id": 7
                     *           },
                     *           "args": {},
                     *           "config_snapshot": {},
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "created_by": "created_by",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z",
                     *           "duration_ms": 7
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListRunsOfJobAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    startJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["StartJobBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "job_name": "job_name",
                     *       "job_template_id": 7,
                     *       "job_template_name": "job_template_name",
                     *       "trigger_id": 7,
                     *       "trigger_name": "trigger_name",
                     *       "scheduled_for": "scheduled_for",
                     *       "interval_start": "interval_start",
                     *       "backfill_id": 7,
                     *       "priority": 7,
                     *       "deadline_at": "2026-01-15T12:00:00.000Z",
                     *       "reused": {},
                     *       "rerun_of": 7,
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step",
                     *         "task": "task",
                     *         "run_id": 7
                     *       },
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7
                     *     }
                     */
                    "application/json": components["schemas"]["JobRun"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJobConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schema": {},
                     *       "values": {},
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["JobConfig"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    replaceJobConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schema": {},
                     *       "values": {},
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["JobConfig"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    saveJobConfigEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The name in the configuration
                 * @example key
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": {}
                 *     }
                 */
                "application/json": components["schemas"]["SaveJobConfigEntryBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schema": {},
                     *       "values": {},
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["JobConfig"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobConfigHistory: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: version, values, created_at, created_by */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "version": 3,
                     *           "values": {},
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "created_by": "created_by"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobConfigHistoryAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobStates: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: task_key, step_id, value, version, updated_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "task_key": "orders",
                     *           "step_id": "read",
                     *           "value": {},
                     *           "version": 3,
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobStatesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    forgetJobStates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJobTaskState: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: task_key, step_id, value, version, updated_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The task’s key in the job’s graph
                 * @example orders
                 */
                task_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "task_key": "orders",
                     *           "step_id": "read",
                     *           "value": {},
                     *           "version": 3,
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["GetJobTaskStateAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    setJobTaskState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The task’s key in the job’s graph
                 * @example orders
                 */
                task_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "step_id": "read",
                 *       "value": "value"
                 *     }
                 */
                "application/json": components["schemas"]["SetJobTaskStateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "task_key": "orders",
                     *           "step_id": "read",
                     *           "value": {},
                     *           "version": 3,
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SetJobTaskStateAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    forgetJobTaskState: {
        parameters: {
            query?: {
                /** @description Default: all steps */
                step_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The task’s key in the job’s graph
                 * @example orders
                 */
                task_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJobDrift: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "drifted": true,
                     *       "template": {
                     *         "id": 7,
                     *         "name": "Nightly import",
                     *         "pinned_version": 7,
                     *         "current_version": 7,
                     *         "drifted": true,
                     *         "diff": "diff"
                     *       },
                     *       "tasks": [
                     *         {
                     *           "key": "key",
                     *           "task_id": 7,
                     *           "task_name": "task_name",
                     *           "pinned_version": 7,
                     *           "current_version": 7,
                     *           "drifted": true,
                     *           "overridden": true,
                     *           "child_tasks": [
                     *             {
                     *               "task_id": 7,
                     *               "name": "Nightly import",
                     *               "pinned_version": 7,
                     *               "current_version": 7,
                     *               "drifted": true
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "dashboards": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "dashboard_template_id": 7,
                     *           "pinned_version": 7,
                     *           "current_version": 7,
                     *           "drifted": true,
                     *           "modified": true
                     *         }
                     *       ],
                     *       "missing_dashboards": [
                     *         {
                     *           "dashboard_template_id": 7,
                     *           "name": "Nightly import"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JobDrift"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    upgradeJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["UpgradeJobBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "applied": true,
                     *       "job_version": 7,
                     *       "plan_hash": "plan_hash",
                     *       "changed": true,
                     *       "template": {
                     *         "from_version": 7,
                     *         "to_version": 7,
                     *         "diff": "diff"
                     *       },
                     *       "tasks": [
                     *         {
                     *           "key": "key",
                     *           "action": "keep",
                     *           "task_id": 7,
                     *           "task_name": "task_name",
                     *           "from_version": 7,
                     *           "to_version": 7,
                     *           "replaced": true,
                     *           "override": "none",
                     *           "diff": "diff",
                     *           "child_tasks": [
                     *             {
                     *               "name": "Nightly import",
                     *               "action": "update",
                     *               "task_id": 7,
                     *               "from_version": 7,
                     *               "to_version": 7,
                     *               "diff": "diff"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "connectors": [
                     *         {
                     *           "name": "Nightly import",
                     *           "action": "add",
                     *           "type": "postgres",
                     *           "required": true,
                     *           "from_id": 7,
                     *           "to_id": 7
                     *         }
                     *       ],
                     *       "config": [
                     *         {
                     *           "key": "key",
                     *           "action": "add",
                     *           "before": {},
                     *           "after": {}
                     *         }
                     *       ],
                     *       "dashboards": [
                     *         {
                     *           "dashboard_id": 7,
                     *           "dashboard_template_id": 7,
                     *           "name": "Nightly import",
                     *           "action": "add",
                     *           "modified": true,
                     *           "from_version": 7,
                     *           "to_version": 7,
                     *           "diff": "diff"
                     *         }
                     *       ],
                     *       "cursors": [
                     *         {
                     *           "task_key": "orders",
                     *           "step_id": "read"
                     *         }
                     *       ],
                     *       "problems": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JobUpgrade"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getTaskOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The key of the task in the job’s template
                 * @example key
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_key": "orders",
                     *       "task_id": 7,
                     *       "task_name": "task_name",
                     *       "task_version": 7,
                     *       "yaml_content": "yaml_content",
                     *       "connectors": {},
                     *       "pinned_yaml_content": "pinned_yaml_content",
                     *       "diff": "diff"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskOverride"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    putTaskOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The key of the task in the job’s template
                 * @example key
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "yaml_content": "yaml_content"
                 *     }
                 */
                "application/json": components["schemas"]["PutTaskOverrideBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_key": "orders",
                     *       "task_id": 7,
                     *       "task_name": "task_name",
                     *       "task_version": 7,
                     *       "yaml_content": "yaml_content",
                     *       "connectors": {},
                     *       "pinned_yaml_content": "pinned_yaml_content",
                     *       "diff": "diff"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskOverride"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteTaskOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The key of the task in the job’s template
                 * @example key
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJobConfigOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The name in the configuration
                 * @example key
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "side": "side",
                 *       "q": "order",
                 *       "cursor": "opaque",
                 *       "value": {}
                 *     }
                 */
                "application/json": components["schemas"]["WidgetOptionsRequestInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "options": [
                     *         {
                     *           "label": "label",
                     *           "value": "value",
                     *           "subText": "subText"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetOptionsResponse"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listTriggersOfJob: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, name, cron, timezone, enabled, overlap, catchup, catchup_window, jitter_seconds, start_at, end_at, pause_after_failures, state, next_run_at, next_start_at, last_fired_at, last_run_id, last_status, last_success_at, consecutive_failures, paused_at, paused_reason, missed_count, skipped_count, version, created_at, updated_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 4,
                     *           "job_id": 2,
                     *           "name": "every night",
                     *           "cron": "0 2 * * *",
                     *           "timezone": "Europe/Berlin",
                     *           "enabled": true,
                     *           "overlap": "skip",
                     *           "catchup": "latest",
                     *           "catchup_window": "6h",
                     *           "jitter_seconds": 300,
                     *           "start_at": null,
                     *           "end_at": null,
                     *           "pause_after_failures": 5,
                     *           "state": "active",
                     *           "next_run_at": "2026-01-16T01:00:00.000Z",
                     *           "next_start_at": "2026-01-16T01:03:41.207Z",
                     *           "last_fired_at": "2026-01-15T01:00:00.012Z",
                     *           "last_run_id": 31,
                     *           "last_status": "success",
                     *           "last_success_at": "2026-01-15T01:04:10.481Z",
                     *           "consecutive_failures": 0,
                     *           "paused_at": null,
                     *           "paused_reason": null,
                     *           "missed_count": 0,
                     *           "skipped_count": 0,
                     *           "version": 1,
                     *           "created_at": "2026-01-10T12:00:00.000Z",
                     *           "updated_at": "2026-01-10T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListTriggersOfJobAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron": "0 6 * * *",
                 *       "name": "Nightly import",
                 *       "timezone": "Europe/Berlin",
                 *       "enabled": true,
                 *       "overlap": "skip",
                 *       "catchup": "none",
                 *       "catchup_window": "6h",
                 *       "jitter_seconds": 7,
                 *       "start_at": "2026-01-15T00:00:00Z",
                 *       "end_at": "2030-12-31T00:00:00Z",
                 *       "pause_after_failures": 7
                 *     }
                 */
                "application/json": components["schemas"]["CreateTriggerBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "job_id": 2,
                     *       "name": "every night",
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "overlap": "skip",
                     *       "catchup": "latest",
                     *       "catchup_window": "6h",
                     *       "jitter_seconds": 300,
                     *       "start_at": null,
                     *       "end_at": null,
                     *       "pause_after_failures": 5,
                     *       "state": "active",
                     *       "next_run_at": "2026-01-16T01:00:00.000Z",
                     *       "next_start_at": "2026-01-16T01:03:41.207Z",
                     *       "last_fired_at": "2026-01-15T01:00:00.012Z",
                     *       "last_run_id": 31,
                     *       "last_status": "success",
                     *       "last_success_at": "2026-01-15T01:04:10.481Z",
                     *       "consecutive_failures": 0,
                     *       "paused_at": null,
                     *       "paused_reason": null,
                     *       "missed_count": 0,
                     *       "skipped_count": 0,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listTriggers: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those of this job */
                job_id?: number;
                /** @description Only enabled or only disabled ones */
                enabled?: boolean;
                /** @description Only triggers in this state */
                state?: "active" | "paused" | "disabled" | "ended";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, name, cron, timezone, enabled, overlap, catchup, catchup_window, jitter_seconds, start_at, end_at, pause_after_failures, state, next_run_at, next_start_at, last_fired_at, last_run_id, last_status, last_success_at, consecutive_failures, paused_at, paused_reason, missed_count, skipped_count, version, created_at, updated_at */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 4,
                     *           "job_id": 2,
                     *           "name": "every night",
                     *           "cron": "0 2 * * *",
                     *           "timezone": "Europe/Berlin",
                     *           "enabled": true,
                     *           "overlap": "skip",
                     *           "catchup": "latest",
                     *           "catchup_window": "6h",
                     *           "jitter_seconds": 300,
                     *           "start_at": null,
                     *           "end_at": null,
                     *           "pause_after_failures": 5,
                     *           "state": "active",
                     *           "next_run_at": "2026-01-16T01:00:00.000Z",
                     *           "next_start_at": "2026-01-16T01:03:41.207Z",
                     *           "last_fired_at": "2026-01-15T01:00:00.012Z",
                     *           "last_run_id": 31,
                     *           "last_status": "success",
                     *           "last_success_at": "2026-01-15T01:04:10.481Z",
                     *           "consecutive_failures": 0,
                     *           "paused_at": null,
                     *           "paused_reason": null,
                     *           "missed_count": 0,
                     *           "skipped_count": 0,
                     *           "version": 1,
                     *           "created_at": "2026-01-10T12:00:00.000Z",
                     *           "updated_at": "2026-01-10T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListTriggersAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getTrigger: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, name, cron, timezone, enabled, overlap, catchup, catchup_window, jitter_seconds, start_at, end_at, pause_after_failures, state, next_run_at, next_start_at, last_fired_at, last_run_id, last_status, last_success_at, consecutive_failures, paused_at, paused_reason, missed_count, skipped_count, version, created_at, updated_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "job_id": 2,
                     *       "name": "every night",
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "overlap": "skip",
                     *       "catchup": "latest",
                     *       "catchup_window": "6h",
                     *       "jitter_seconds": 300,
                     *       "start_at": null,
                     *       "end_at": null,
                     *       "pause_after_failures": 5,
                     *       "state": "active",
                     *       "next_run_at": "2026-01-16T01:00:00.000Z",
                     *       "next_start_at": "2026-01-16T01:03:41.207Z",
                     *       "last_fired_at": "2026-01-15T01:00:00.012Z",
                     *       "last_run_id": 31,
                     *       "last_status": "success",
                     *       "last_success_at": "2026-01-15T01:04:10.481Z",
                     *       "consecutive_failures": 0,
                     *       "paused_at": null,
                     *       "paused_reason": null,
                     *       "missed_count": 0,
                     *       "skipped_count": 0,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron": "0 6 * * *",
                 *       "name": "Nightly import",
                 *       "timezone": "Europe/Berlin",
                 *       "enabled": true,
                 *       "overlap": "skip",
                 *       "catchup": "none",
                 *       "catchup_window": "6h",
                 *       "jitter_seconds": 7,
                 *       "start_at": "2026-01-15T00:00:00Z",
                 *       "end_at": "2030-12-31T00:00:00Z",
                 *       "pause_after_failures": 7
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTriggerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "job_id": 2,
                     *       "name": "every night",
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "overlap": "skip",
                     *       "catchup": "latest",
                     *       "catchup_window": "6h",
                     *       "jitter_seconds": 300,
                     *       "start_at": null,
                     *       "end_at": null,
                     *       "pause_after_failures": 5,
                     *       "state": "active",
                     *       "next_run_at": "2026-01-16T01:00:00.000Z",
                     *       "next_start_at": "2026-01-16T01:03:41.207Z",
                     *       "last_fired_at": "2026-01-15T01:00:00.012Z",
                     *       "last_run_id": 31,
                     *       "last_status": "success",
                     *       "last_success_at": "2026-01-15T01:04:10.481Z",
                     *       "consecutive_failures": 0,
                     *       "paused_at": null,
                     *       "paused_reason": null,
                     *       "missed_count": 0,
                     *       "skipped_count": 0,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    enableTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "job_id": 2,
                     *       "name": "every night",
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "overlap": "skip",
                     *       "catchup": "latest",
                     *       "catchup_window": "6h",
                     *       "jitter_seconds": 300,
                     *       "start_at": null,
                     *       "end_at": null,
                     *       "pause_after_failures": 5,
                     *       "state": "active",
                     *       "next_run_at": "2026-01-16T01:00:00.000Z",
                     *       "next_start_at": "2026-01-16T01:03:41.207Z",
                     *       "last_fired_at": "2026-01-15T01:00:00.012Z",
                     *       "last_run_id": 31,
                     *       "last_status": "success",
                     *       "last_success_at": "2026-01-15T01:04:10.481Z",
                     *       "consecutive_failures": 0,
                     *       "paused_at": null,
                     *       "paused_reason": null,
                     *       "missed_count": 0,
                     *       "skipped_count": 0,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    disableTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "job_id": 2,
                     *       "name": "every night",
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "overlap": "skip",
                     *       "catchup": "latest",
                     *       "catchup_window": "6h",
                     *       "jitter_seconds": 300,
                     *       "start_at": null,
                     *       "end_at": null,
                     *       "pause_after_failures": 5,
                     *       "state": "active",
                     *       "next_run_at": "2026-01-16T01:00:00.000Z",
                     *       "next_start_at": "2026-01-16T01:03:41.207Z",
                     *       "last_fired_at": "2026-01-15T01:00:00.012Z",
                     *       "last_run_id": 31,
                     *       "last_status": "success",
                     *       "last_success_at": "2026-01-15T01:04:10.481Z",
                     *       "consecutive_failures": 0,
                     *       "paused_at": null,
                     *       "paused_reason": null,
                     *       "missed_count": 0,
                     *       "skipped_count": 0,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    fireTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "job_name": "job_name",
                     *       "job_template_id": 7,
                     *       "job_template_name": "job_template_name",
                     *       "trigger_id": 7,
                     *       "trigger_name": "trigger_name",
                     *       "scheduled_for": "scheduled_for",
                     *       "interval_start": "interval_start",
                     *       "backfill_id": 7,
                     *       "priority": 7,
                     *       "deadline_at": "2026-01-15T12:00:00.000Z",
                     *       "reused": {},
                     *       "rerun_of": 7,
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step",
                     *         "task": "task",
                     *         "run_id": 7
                     *       },
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7
                     *     }
                     */
                    "application/json": components["schemas"]["JobRun"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listBackfills: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "created_at" | "-created_at";
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_id": 7,
                     *           "trigger_id": 7,
                     *           "from": "from",
                     *           "to": "to",
                     *           "reprocess": "missed",
                     *           "order": "oldest_first",
                     *           "max_active": 7,
                     *           "config_override": {},
                     *           "status": "running",
                     *           "problem": "problem",
                     *           "total": 7,
                     *           "progress": {
                     *             "pending": 7,
                     *             "active": 7,
                     *             "success": 7,
                     *             "warning": 7,
                     *             "error": 7,
                     *             "cancelled": 7,
                     *             "deleted": 7
                     *           },
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "created_by": "created_by",
                     *           "ended_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListBackfillsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createBackfill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-01-15T12:00:00.000Z",
                 *       "to": "2026-01-15T12:00:00.000Z",
                 *       "reprocess": "missed",
                 *       "order": "oldest_first",
                 *       "max_active": 1,
                 *       "config_override": null,
                 *       "dry_run": false,
                 *       "plan_id": "plan_id"
                 *     }
                 */
                "application/json": components["schemas"]["CreateBackfillBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_id",
                     *       "total": 7,
                     *       "times": [
                     *         {
                     *           "scheduled_for": "scheduled_for",
                     *           "outcome": "outcome",
                     *           "job_run_id": 7
                     *         }
                     *       ],
                     *       "truncated": true,
                     *       "warnings": [
                     *         "warnings"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BackfillPlan"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "trigger_id": 7,
                     *       "from": "from",
                     *       "to": "to",
                     *       "reprocess": "missed",
                     *       "order": "oldest_first",
                     *       "max_active": 7,
                     *       "config_override": {},
                     *       "status": "running",
                     *       "problem": "problem",
                     *       "total": 7,
                     *       "progress": {
                     *         "pending": 7,
                     *         "active": 7,
                     *         "success": 7,
                     *         "warning": 7,
                     *         "error": 7,
                     *         "cancelled": 7,
                     *         "deleted": 7
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "ended_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Backfill"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    previewTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron": "0 6 * * *",
                 *       "timezone": "UTC",
                 *       "count": 5,
                 *       "after": "2026-01-15T12:00:00.000Z",
                 *       "jitter_seconds": 7,
                 *       "start_at": "2026-01-15T00:00:00Z",
                 *       "end_at": "2030-12-31T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewTriggerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cron": "0 6 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "times": [
                     *         "times"
                     *       ],
                     *       "upcoming": [
                     *         {
                     *           "at": "at",
                     *           "local": "local",
                     *           "starts_by": "starts_by",
                     *           "note": "note"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TriggerPreview"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getBackfill: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "trigger_id": 7,
                     *       "from": "from",
                     *       "to": "to",
                     *       "reprocess": "missed",
                     *       "order": "oldest_first",
                     *       "max_active": 7,
                     *       "config_override": {},
                     *       "status": "running",
                     *       "problem": "problem",
                     *       "total": 7,
                     *       "progress": {
                     *         "pending": 7,
                     *         "active": 7,
                     *         "success": 7,
                     *         "warning": 7,
                     *         "error": 7,
                     *         "cancelled": 7,
                     *         "deleted": 7
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "times": [
                     *         {
                     *           "scheduled_for": "scheduled_for",
                     *           "job_run_id": 7,
                     *           "status": "status"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["BackfillDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    pauseBackfill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "trigger_id": 7,
                     *       "from": "from",
                     *       "to": "to",
                     *       "reprocess": "missed",
                     *       "order": "oldest_first",
                     *       "max_active": 7,
                     *       "config_override": {},
                     *       "status": "running",
                     *       "problem": "problem",
                     *       "total": 7,
                     *       "progress": {
                     *         "pending": 7,
                     *         "active": 7,
                     *         "success": 7,
                     *         "warning": 7,
                     *         "error": 7,
                     *         "cancelled": 7,
                     *         "deleted": 7
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "ended_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Backfill"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    resumeBackfill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "trigger_id": 7,
                     *       "from": "from",
                     *       "to": "to",
                     *       "reprocess": "missed",
                     *       "order": "oldest_first",
                     *       "max_active": 7,
                     *       "config_override": {},
                     *       "status": "running",
                     *       "problem": "problem",
                     *       "total": 7,
                     *       "progress": {
                     *         "pending": 7,
                     *         "active": 7,
                     *         "success": 7,
                     *         "warning": 7,
                     *         "error": 7,
                     *         "cancelled": 7,
                     *         "deleted": 7
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "ended_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Backfill"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    cancelBackfill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CancelBackfillBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "trigger_id": 7,
                     *       "from": "from",
                     *       "to": "to",
                     *       "reprocess": "missed",
                     *       "order": "oldest_first",
                     *       "max_active": 7,
                     *       "config_override": {},
                     *       "status": "running",
                     *       "problem": "problem",
                     *       "total": 7,
                     *       "progress": {
                     *         "pending": 7,
                     *         "active": 7,
                     *         "success": 7,
                     *         "warning": 7,
                     *         "error": 7,
                     *         "cancelled": 7,
                     *         "deleted": 7
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "ended_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Backfill"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listJobRuns: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "created_at" | "-created_at";
                /** @description Only those of this job */
                job_id?: number;
                /** @description Only those of this job template */
                job_template_id?: number;
                /** @description Only those that this trigger started */
                trigger_id?: number;
                /** @description Only those with this status */
                status?: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled";
                /** @description Created then or later */
                created_from?: string;
                /** @description Created before then */
                created_to?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, job_name, job_template_id, job_template_name, trigger_id, trigger_name, scheduled_for, interval_start, backfill_id, priority, deadline_at, reused, rerun_of, status, reason, error, args, config_snapshot, created_at, created_by, started_at, ended_at, duration_ms */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_id": 7,
                     *           "job_name": "job_name",
                     *           "job_template_id": 7,
                     *           "job_template_name": "job_template_name",
                     *           "trigger_id": 7,
                     *           "trigger_name": "trigger_name",
                     *           "scheduled_for": "scheduled_for",
                     *           "interval_start": "interval_start",
                     *           "backfill_id": 7,
                     *           "priority": 7,
                     *           "deadline_at": "2026-01-15T12:00:00.000Z",
                     *           "reused": {},
                     *           "rerun_of": 7,
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step",
                     *             "task": "task",
                     *             "run_id": 7
                     *           },
                     *           "args": {},
                     *           "config_snapshot": {},
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "created_by": "created_by",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z",
                     *           "duration_ms": 7
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListJobRunsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getJobRun: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, job_name, job_template_id, job_template_name, trigger_id, trigger_name, scheduled_for, interval_start, backfill_id, priority, deadline_at, reused, rerun_of, status, reason, error, args, config_snapshot, created_at, created_by, started_at, ended_at, duration_ms, dag, levels, runs */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "job_name": "job_name",
                     *       "job_template_id": 7,
                     *       "job_template_name": "job_template_name",
                     *       "trigger_id": 7,
                     *       "trigger_name": "trigger_name",
                     *       "scheduled_for": "scheduled_for",
                     *       "interval_start": "interval_start",
                     *       "backfill_id": 7,
                     *       "priority": 7,
                     *       "deadline_at": "2026-01-15T12:00:00.000Z",
                     *       "reused": {},
                     *       "rerun_of": 7,
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step",
                     *         "task": "task",
                     *         "run_id": 7
                     *       },
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7,
                     *       "dag": {
                     *         "tasks": {},
                     *         "levels": [
                     *           [
                     *             "levels"
                     *           ]
                     *         ]
                     *       },
                     *       "levels": [
                     *         [
                     *           "levels"
                     *         ]
                     *       ],
                     *       "runs": [
                     *         {
                     *           "id": 7,
                     *           "task_id": 7,
                     *           "task_name": "task_name",
                     *           "task_version": 7,
                     *           "child_tasks": [
                     *             {
                     *               "name": "Nightly import",
                     *               "task_id": 7,
                     *               "task_version": 7
                     *             }
                     *           ],
                     *           "job_run_id": 7,
                     *           "job_id": 7,
                     *           "task_key": "orders",
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "attempt": 7,
                     *           "max_attempts": 7,
                     *           "executor_id": 7,
                     *           "args": {},
                     *           "config_snapshot": {},
                     *           "progress": {
                     *             "step_id": "read",
                     *             "rows_in": 7,
                     *             "rows_out": 7,
                     *             "rows_failed": 7,
                     *             "rows_per_second": 7,
                     *             "ratio": 7
                     *           },
                     *           "items": {
                     *             "in": 7,
                     *             "out": 7,
                     *             "failed": 7,
                     *             "skipped": 7,
                     *             "filtered": 7,
                     *             "deleted": 7
                     *           },
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step"
                     *           },
                     *           "outputs": {},
                     *           "rerun_of": 7,
                     *           "replay": {
                     *             "step_id": "read",
                     *             "letters": 7
                     *           },
                     *           "scheduled_for": "scheduled_for",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "available_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z",
                     *           "duration_ms": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JobRunDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteJobRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    rerunJobRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RerunJobRunBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "job_name": "job_name",
                     *       "job_template_id": 7,
                     *       "job_template_name": "job_template_name",
                     *       "trigger_id": 7,
                     *       "trigger_name": "trigger_name",
                     *       "scheduled_for": "scheduled_for",
                     *       "interval_start": "interval_start",
                     *       "backfill_id": 7,
                     *       "priority": 7,
                     *       "deadline_at": "2026-01-15T12:00:00.000Z",
                     *       "reused": {},
                     *       "rerun_of": 7,
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step",
                     *         "task": "task",
                     *         "run_id": 7
                     *       },
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7
                     *     }
                     */
                    "application/json": components["schemas"]["JobRun"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    streamJobRunEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the job run has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    cancelJobRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CancelJobRunBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "job_name": "job_name",
                     *       "job_template_id": 7,
                     *       "job_template_name": "job_template_name",
                     *       "trigger_id": 7,
                     *       "trigger_name": "trigger_name",
                     *       "scheduled_for": "scheduled_for",
                     *       "interval_start": "interval_start",
                     *       "backfill_id": 7,
                     *       "priority": 7,
                     *       "deadline_at": "2026-01-15T12:00:00.000Z",
                     *       "reused": {},
                     *       "rerun_of": 7,
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step",
                     *         "task": "task",
                     *         "run_id": 7
                     *       },
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "created_by": "created_by",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7
                     *     }
                     */
                    "application/json": components["schemas"]["JobRun"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    startTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["StartTaskBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "task_id": 7,
                     *       "task_name": "task_name",
                     *       "task_version": 7,
                     *       "child_tasks": [
                     *         {
                     *           "name": "Nightly import",
                     *           "task_id": 7,
                     *           "task_version": 7
                     *         }
                     *       ],
                     *       "job_run_id": 7,
                     *       "job_id": 7,
                     *       "task_key": "orders",
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "attempt": 7,
                     *       "max_attempts": 7,
                     *       "executor_id": 7,
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "progress": {
                     *         "step_id": "read",
                     *         "rows_in": 7,
                     *         "rows_out": 7,
                     *         "rows_failed": 7,
                     *         "rows_per_second": 7,
                     *         "ratio": 7
                     *       },
                     *       "items": {
                     *         "in": 7,
                     *         "out": 7,
                     *         "failed": 7,
                     *         "skipped": 7,
                     *         "filtered": 7,
                     *         "deleted": 7
                     *       },
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step"
                     *       },
                     *       "outputs": {},
                     *       "rerun_of": 7,
                     *       "replay": {
                     *         "step_id": "read",
                     *         "letters": 7
                     *       },
                     *       "scheduled_for": "scheduled_for",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "available_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "created_at" | "-created_at";
                /** @description Only those with this status */
                status?: "queued" | "running" | "cancelling" | "success" | "warning" | "error" | "cancelled" | "skipped";
                /** @description Only those of this task */
                task_id?: number;
                /** @description Only those of this job */
                job_id?: number;
                /** @description Only those of this job run */
                job_run_id?: number;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, task_id, task_name, task_version, child_tasks, job_run_id, job_id, task_key, status, reason, attempt, max_attempts, executor_id, args, config_snapshot, progress, items, error, outputs, rerun_of, replay, scheduled_for, created_at, available_at, started_at, ended_at, duration_ms */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "task_id": 7,
                     *           "task_name": "task_name",
                     *           "task_version": 7,
                     *           "child_tasks": [
                     *             {
                     *               "name": "Nightly import",
                     *               "task_id": 7,
                     *               "task_version": 7
                     *             }
                     *           ],
                     *           "job_run_id": 7,
                     *           "job_id": 7,
                     *           "task_key": "orders",
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "attempt": 7,
                     *           "max_attempts": 7,
                     *           "executor_id": 7,
                     *           "args": {},
                     *           "config_snapshot": {},
                     *           "progress": {
                     *             "step_id": "read",
                     *             "rows_in": 7,
                     *             "rows_out": 7,
                     *             "rows_failed": 7,
                     *             "rows_per_second": 7,
                     *             "ratio": 7
                     *           },
                     *           "items": {
                     *             "in": 7,
                     *             "out": 7,
                     *             "failed": 7,
                     *             "skipped": 7,
                     *             "filtered": 7,
                     *             "deleted": 7
                     *           },
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step"
                     *           },
                     *           "outputs": {},
                     *           "rerun_of": 7,
                     *           "replay": {
                     *             "step_id": "read",
                     *             "letters": 7
                     *           },
                     *           "scheduled_for": "scheduled_for",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "available_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z",
                     *           "duration_ms": 7
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListRunsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, task_id, task_name, task_version, child_tasks, job_run_id, job_id, task_key, status, reason, attempt, max_attempts, executor_id, args, config_snapshot, progress, items, error, outputs, rerun_of, replay, scheduled_for, created_at, available_at, started_at, ended_at, duration_ms, executor, timings, status_history */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "task_id": 7,
                     *       "task_name": "task_name",
                     *       "task_version": 7,
                     *       "child_tasks": [
                     *         {
                     *           "name": "Nightly import",
                     *           "task_id": 7,
                     *           "task_version": 7
                     *         }
                     *       ],
                     *       "job_run_id": 7,
                     *       "job_id": 7,
                     *       "task_key": "orders",
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "attempt": 7,
                     *       "max_attempts": 7,
                     *       "executor_id": 7,
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "progress": {
                     *         "step_id": "read",
                     *         "rows_in": 7,
                     *         "rows_out": 7,
                     *         "rows_failed": 7,
                     *         "rows_per_second": 7,
                     *         "ratio": 7
                     *       },
                     *       "items": {
                     *         "in": 7,
                     *         "out": 7,
                     *         "failed": 7,
                     *         "skipped": 7,
                     *         "filtered": 7,
                     *         "deleted": 7
                     *       },
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step"
                     *       },
                     *       "outputs": {},
                     *       "rerun_of": 7,
                     *       "replay": {
                     *         "step_id": "read",
                     *         "letters": 7
                     *       },
                     *       "scheduled_for": "scheduled_for",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "available_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7,
                     *       "executor": {
                     *         "id": 7,
                     *         "name": "Nightly import"
                     *       },
                     *       "timings": {
                     *         "queued_ms": 7,
                     *         "starting_ms": 7,
                     *         "running_ms": 7,
                     *         "between_attempts_ms": 7,
                     *         "total_ms": 7
                     *       },
                     *       "status_history": [
                     *         {
                     *           "at": "at",
                     *           "from_status": "from_status",
                     *           "to_status": "to_status",
                     *           "reason": "manual",
                     *           "attempt": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    rerunRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RerunRunBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "task_id": 7,
                     *       "task_name": "task_name",
                     *       "task_version": 7,
                     *       "child_tasks": [
                     *         {
                     *           "name": "Nightly import",
                     *           "task_id": 7,
                     *           "task_version": 7
                     *         }
                     *       ],
                     *       "job_run_id": 7,
                     *       "job_id": 7,
                     *       "task_key": "orders",
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "attempt": 7,
                     *       "max_attempts": 7,
                     *       "executor_id": 7,
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "progress": {
                     *         "step_id": "read",
                     *         "rows_in": 7,
                     *         "rows_out": 7,
                     *         "rows_failed": 7,
                     *         "rows_per_second": 7,
                     *         "ratio": 7
                     *       },
                     *       "items": {
                     *         "in": 7,
                     *         "out": 7,
                     *         "failed": 7,
                     *         "skipped": 7,
                     *         "filtered": 7,
                     *         "deleted": 7
                     *       },
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step"
                     *       },
                     *       "outputs": {},
                     *       "rerun_of": 7,
                     *       "replay": {
                     *         "step_id": "read",
                     *         "letters": 7
                     *       },
                     *       "scheduled_for": "scheduled_for",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "available_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listRunSteps: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: step_id, kind, status, rows_in, rows_out, rows_failed, rows_skipped, rows_filtered, rows_deleted, started_at, ended_at, attempts, duration_ms, error, cursor */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "step_id": "read",
                     *           "kind": "extract",
                     *           "status": "status",
                     *           "rows_in": 7,
                     *           "rows_out": 7,
                     *           "rows_failed": 7,
                     *           "rows_skipped": 7,
                     *           "rows_filtered": 7,
                     *           "rows_deleted": 7,
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z",
                     *           "attempts": 7,
                     *           "duration_ms": 7,
                     *           "error": "error",
                     *           "cursor": {
                     *             "from": {},
                     *             "to": {}
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListRunStepsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CancelRunBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "task_id": 7,
                     *       "task_name": "task_name",
                     *       "task_version": 7,
                     *       "child_tasks": [
                     *         {
                     *           "name": "Nightly import",
                     *           "task_id": 7,
                     *           "task_version": 7
                     *         }
                     *       ],
                     *       "job_run_id": 7,
                     *       "job_id": 7,
                     *       "task_key": "orders",
                     *       "status": "queued",
                     *       "reason": "manual",
                     *       "attempt": 7,
                     *       "max_attempts": 7,
                     *       "executor_id": 7,
                     *       "args": {},
                     *       "config_snapshot": {},
                     *       "progress": {
                     *         "step_id": "read",
                     *         "rows_in": 7,
                     *         "rows_out": 7,
                     *         "rows_failed": 7,
                     *         "rows_per_second": 7,
                     *         "ratio": 7
                     *       },
                     *       "items": {
                     *         "in": 7,
                     *         "out": 7,
                     *         "failed": 7,
                     *         "skipped": 7,
                     *         "filtered": 7,
                     *         "deleted": 7
                     *       },
                     *       "error": {
                     *         "code": "TYPE",
                     *         "message": "Read 10,000 rows",
                     *         "step": "step"
                     *       },
                     *       "outputs": {},
                     *       "rerun_of": 7,
                     *       "replay": {
                     *         "step_id": "read",
                     *         "letters": 7
                     *       },
                     *       "scheduled_for": "scheduled_for",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "available_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": "2026-01-15T12:00:00.000Z",
                     *       "ended_at": "2026-01-15T12:00:00.000Z",
                     *       "duration_ms": 7
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listRunLogs: {
        parameters: {
            query?: {
                /** @description `attempt.seq`, or a seq of the first attempt */
                after_seq?: string;
                /** @description Lines of this level and above */
                level?: "debug" | "info" | "warn" | "error";
                /** @description Lines of this step */
                step?: string;
                /** @description Part of the text, case-insensitive */
                q?: string;
                /** @description The most records in an answer */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "attempt": 7,
                     *           "seq": 7,
                     *           "at": "at",
                     *           "level": "debug",
                     *           "step_id": "read",
                     *           "message": "Read 10,000 rows",
                     *           "fields": {}
                     *         }
                     *       ],
                     *       "last_seq": 7,
                     *       "complete": true,
                     *       "reason": "running",
                     *       "dropped": 7,
                     *       "pruned_to": "pruned_to",
                     *       "attempts": [
                     *         {
                     *           "attempt": 7,
                     *           "last_seq": 7
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListRunLogsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    downloadRunLogs: {
        parameters: {
            query?: {
                /** @description `attempt.seq`, or a seq of the first attempt */
                after_seq?: string;
                /** @description Lines of this level and above */
                level?: "debug" | "info" | "warn" | "error";
                /** @description Lines of this step */
                step?: string;
                /** @description Part of the text, case-insensitive */
                q?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A line of JSON for each line */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    streamRunLogs: {
        parameters: {
            query?: {
                /** @description `attempt.seq`, or a seq of the first attempt */
                after_seq?: string;
                /** @description Lines of this level and above */
                level?: "debug" | "info" | "warn" | "error";
                /** @description Lines of this step */
                step?: string;
                /** @description Part of the text, case-insensitive */
                q?: string;
            };
            header?: {
                /** @description `attempt.seq`, or a seq of the first attempt */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the run has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    pruneRuns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ended_before": "2026-01-01T00:00:00Z",
                 *       "keep_last": 10,
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["PruneRunsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "job_runs": 7,
                     *       "runs": 7,
                     *       "more": true
                     *     }
                     */
                    "application/json": components["schemas"]["PrunedRuns"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listDeadLettersOfJob: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id";
                /** @description Only those with this status */
                status?: "open" | "replaying" | "replayed" | "discarded";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, run_id, job_id, attempt, step_id, task, item, code, message, status, replay_run_id, replay_item, replay_of, origin, column, value, created_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "run_id": 7,
                     *           "job_id": 7,
                     *           "attempt": 7,
                     *           "step_id": "read",
                     *           "task": "task",
                     *           "item": {},
                     *           "code": "TYPE",
                     *           "message": "Read 10,000 rows",
                     *           "status": "open",
                     *           "replay_run_id": 7,
                     *           "replay_item": {},
                     *           "replay_of": 7,
                     *           "origin": {},
                     *           "column": "column",
                     *           "value": {},
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListDeadLettersOfJobAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    discardDeadLettersOfJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         7
                 *       ],
                 *       "code": "TYPE"
                 *     }
                 */
                "application/json": components["schemas"]["DiscardDeadLettersOfJobBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "discarded": 7
                     *     }
                     */
                    "application/json": components["schemas"]["DiscardDeadLettersOfJobAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    replayDeadLettersOfJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ReplayDeadLettersOfJobBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "id": 7,
                     *           "task_id": 7,
                     *           "task_name": "task_name",
                     *           "task_version": 7,
                     *           "child_tasks": [
                     *             {
                     *               "name": "Nightly import",
                     *               "task_id": 7,
                     *               "task_version": 7
                     *             }
                     *           ],
                     *           "job_run_id": 7,
                     *           "job_id": 7,
                     *           "task_key": "orders",
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "attempt": 7,
                     *           "max_attempts": 7,
                     *           "executor_id": 7,
                     *           "args": {},
                     *           "config_snapshot": {},
                     *           "progress": {
                     *             "step_id": "read",
                     *             "rows_in": 7,
                     *             "rows_out": 7,
                     *             "rows_failed": 7,
                     *             "rows_per_second": 7,
                     *             "ratio": 7
                     *           },
                     *           "items": {
                     *             "in": 7,
                     *             "out": 7,
                     *             "failed": 7,
                     *             "skipped": 7,
                     *             "filtered": 7,
                     *             "deleted": 7
                     *           },
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step"
                     *           },
                     *           "outputs": {},
                     *           "rerun_of": 7,
                     *           "replay": {
                     *             "step_id": "read",
                     *             "letters": 7
                     *           },
                     *           "scheduled_for": "scheduled_for",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "available_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z",
                     *           "duration_ms": 7
                     *         }
                     *       ],
                     *       "replaying": 7,
                     *       "left": 7
                     *     }
                     */
                    "application/json": components["schemas"]["DeadLetterReplay"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listDeadLettersOfRun: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id";
                /** @description Only those with this status */
                status?: "open" | "replaying" | "replayed" | "discarded";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, run_id, job_id, attempt, step_id, task, item, code, message, status, replay_run_id, replay_item, replay_of, origin, column, value, created_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "run_id": 7,
                     *           "job_id": 7,
                     *           "attempt": 7,
                     *           "step_id": "read",
                     *           "task": "task",
                     *           "item": {},
                     *           "code": "TYPE",
                     *           "message": "Read 10,000 rows",
                     *           "status": "open",
                     *           "replay_run_id": 7,
                     *           "replay_item": {},
                     *           "replay_of": 7,
                     *           "origin": {},
                     *           "column": "column",
                     *           "value": {},
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListDeadLettersOfRunAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    discardDeadLettersOfRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         7
                 *       ],
                 *       "code": "TYPE"
                 *     }
                 */
                "application/json": components["schemas"]["DiscardDeadLettersOfRunBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "discarded": 7
                     *     }
                     */
                    "application/json": components["schemas"]["DiscardDeadLettersOfRunAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    replayDeadLettersOfRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ReplayDeadLettersOfRunBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "id": 7,
                     *           "task_id": 7,
                     *           "task_name": "task_name",
                     *           "task_version": 7,
                     *           "child_tasks": [
                     *             {
                     *               "name": "Nightly import",
                     *               "task_id": 7,
                     *               "task_version": 7
                     *             }
                     *           ],
                     *           "job_run_id": 7,
                     *           "job_id": 7,
                     *           "task_key": "orders",
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "attempt": 7,
                     *           "max_attempts": 7,
                     *           "executor_id": 7,
                     *           "args": {},
                     *           "config_snapshot": {},
                     *           "progress": {
                     *             "step_id": "read",
                     *             "rows_in": 7,
                     *             "rows_out": 7,
                     *             "rows_failed": 7,
                     *             "rows_per_second": 7,
                     *             "ratio": 7
                     *           },
                     *           "items": {
                     *             "in": 7,
                     *             "out": 7,
                     *             "failed": 7,
                     *             "skipped": 7,
                     *             "filtered": 7,
                     *             "deleted": 7
                     *           },
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step"
                     *           },
                     *           "outputs": {},
                     *           "rerun_of": 7,
                     *           "replay": {
                     *             "step_id": "read",
                     *             "letters": 7
                     *           },
                     *           "scheduled_for": "scheduled_for",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "available_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z",
                     *           "duration_ms": 7
                     *         }
                     *       ],
                     *       "replaying": 7,
                     *       "left": 7
                     *     }
                     */
                    "application/json": components["schemas"]["DeadLetterReplay"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id";
                /** @description Only those with this status */
                status?: "open" | "replaying" | "replayed" | "discarded";
                /** @description Only those of the runs of this job */
                job_id?: number;
                /** @description Only those of this run */
                run_id?: number;
                /** @description Only those with this code */
                code?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, run_id, job_id, attempt, step_id, task, item, code, message, status, replay_run_id, replay_item, replay_of, origin, column, value, created_at, job_name, run_task_name */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "run_id": 7,
                     *           "job_id": 7,
                     *           "attempt": 7,
                     *           "step_id": "read",
                     *           "task": "task",
                     *           "item": {},
                     *           "code": "TYPE",
                     *           "message": "Read 10,000 rows",
                     *           "status": "open",
                     *           "replay_run_id": 7,
                     *           "replay_item": {},
                     *           "replay_of": 7,
                     *           "origin": {},
                     *           "column": "column",
                     *           "value": {},
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "job_name": "job_name",
                     *           "run_task_name": "run_task_name"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListDeadLettersAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listDeadLetterReasons: {
        parameters: {
            query?: {
                /** @description Only those of the runs of this job */
                job_id?: number;
                /** @description Only those of this run */
                run_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "job_id": 7,
                     *           "job_name": "job_name",
                     *           "run_id": 7,
                     *           "code": "TYPE",
                     *           "open": 7,
                     *           "message": "Read 10,000 rows",
                     *           "newest_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListDeadLetterReasonsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listDashboardTemplates: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_template_id, name, description, yaml_content, status, version, created_at, updated_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_template_id": 7,
                     *           "name": "Nightly import",
                     *           "description": "Every night, before the figures are read",
                     *           "yaml_content": "yaml_content",
                     *           "status": "active",
                     *           "version": 3,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListDashboardTemplatesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createDashboardTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "yaml_content": "dashboard:\n  title: Orders\n  refresh_interval_seconds: 30\n  widgets:\n    - { id: title, type: heading, text: What was sold }\n    - id: by_day\n      type: bar_chart\n      title: Revenue by day\n      connector: warehouse\n      method: query\n      args: { sql: \"SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1\" }\n      x_expr: item.day\n      series: [{ label: Revenue, value_expr: item.revenue }]\n    - { id: run, type: task_progress, task_key: orders, title: The newest run }\n"
                 *     }
                 */
                "application/json": components["schemas"]["CreateDashboardTemplateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DashboardTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getDashboardTemplate: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_template_id, name, description, yaml_content, status, version, created_at, updated_at, linked_dashboard_count */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "linked_dashboard_count": 7
                     *     }
                     */
                    "application/json": components["schemas"]["DashboardTemplateDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateDashboardTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "yaml_content": "dashboard:\n  title: Orders\n  refresh_interval_seconds: 30\n  widgets:\n    - { id: title, type: heading, text: What was sold }\n    - id: by_day\n      type: bar_chart\n      title: Revenue by day\n      connector: warehouse\n      method: query\n      args: { sql: \"SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1\" }\n      x_expr: item.day\n      series: [{ label: Revenue, value_expr: item.revenue }]\n    - { id: run, type: task_progress, task_key: orders, title: The newest run }\n"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDashboardTemplateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DashboardTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteDashboardTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    archiveDashboardTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DashboardTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    activateDashboardTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "status": "active",
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DashboardTemplate"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    pushDashboardTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "dashboard_ids": [
                 *         7
                 *       ],
                 *       "dry_run": false
                 *     }
                 */
                "application/json": components["schemas"]["PushDashboardTemplateBody"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "items": [
                     *         {
                     *           "dashboard_id": 7,
                     *           "job_id": 7,
                     *           "job_name": "job_name",
                     *           "name": "Nightly import",
                     *           "action": "update",
                     *           "modified": true,
                     *           "from_version": 7,
                     *           "to_version": 7,
                     *           "diff": "diff",
                     *           "problems": [
                     *             {
                     *               "path": "path",
                     *               "message": "Read 10,000 rows",
                     *               "line": 7,
                     *               "column": 7
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PushDashboardTemplateAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    validateDashboardTemplate: {
        parameters: {
            query?: {
                /** @description Also checks the names of connectors, tasks, arguments and `job_config` of this job template */
                job_template_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "yaml_content": "dashboard:\n  title: Orders\n  refresh_interval_seconds: 30\n  widgets:\n    - { id: title, type: heading, text: What was sold }\n    - id: by_day\n      type: bar_chart\n      title: Revenue by day\n      connector: warehouse\n      method: query\n      args: { sql: \"SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1\" }\n      x_expr: item.day\n      series: [{ label: Revenue, value_expr: item.revenue }]\n    - { id: run, type: task_progress, task_key: orders, title: The newest run }\n"
                 *     }
                 */
                "application/json": components["schemas"]["ValidateDashboardTemplateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "problems": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ],
                     *       "document": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ValidateDashboardTemplateAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listDashboardsOfJob: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, dashboard_template_id, name, description, yaml_content, template_version, modified, shared, share_expires_at, share_has_password, version, created_at, updated_at, job_name */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_id": 7,
                     *           "dashboard_template_id": 7,
                     *           "name": "Nightly import",
                     *           "description": "Every night, before the figures are read",
                     *           "yaml_content": "yaml_content",
                     *           "template_version": 7,
                     *           "modified": true,
                     *           "shared": true,
                     *           "share_expires_at": "2026-01-15T12:00:00.000Z",
                     *           "share_has_password": true,
                     *           "version": 3,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "job_name": "job_name"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListDashboardsOfJobAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listDashboards: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only those of this job */
                job_id?: number;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, dashboard_template_id, name, description, yaml_content, template_version, modified, shared, share_expires_at, share_has_password, version, created_at, updated_at, job_name */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "job_id": 7,
                     *           "dashboard_template_id": 7,
                     *           "name": "Nightly import",
                     *           "description": "Every night, before the figures are read",
                     *           "yaml_content": "yaml_content",
                     *           "template_version": 7,
                     *           "modified": true,
                     *           "shared": true,
                     *           "share_expires_at": "2026-01-15T12:00:00.000Z",
                     *           "share_has_password": true,
                     *           "version": 3,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "job_name": "job_name"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListDashboardsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, job_id, dashboard_template_id, name, description, yaml_content, template_version, modified, shared, share_expires_at, share_has_password, version, created_at, updated_at, document */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "dashboard_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "template_version": 7,
                     *       "modified": true,
                     *       "shared": true,
                     *       "share_expires_at": "2026-01-15T12:00:00.000Z",
                     *       "share_has_password": true,
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "document": {}
                     *     }
                     */
                    "application/json": components["schemas"]["DashboardDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "yaml_content": "dashboard:\n  title: Orders\n  refresh_interval_seconds: 30\n  widgets:\n    - { id: title, type: heading, text: What was sold }\n    - id: by_day\n      type: bar_chart\n      title: Revenue by day\n      connector: warehouse\n      method: query\n      args: { sql: \"SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1\" }\n      x_expr: item.day\n      series: [{ label: Revenue, value_expr: item.revenue }]\n    - { id: run, type: task_progress, task_key: orders, title: The newest run }\n"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDashboardBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "job_id": 7,
                     *       "dashboard_template_id": 7,
                     *       "name": "Nightly import",
                     *       "description": "Every night, before the figures are read",
                     *       "yaml_content": "yaml_content",
                     *       "template_version": 7,
                     *       "modified": true,
                     *       "shared": true,
                     *       "share_expires_at": "2026-01-15T12:00:00.000Z",
                     *       "share_has_password": true,
                     *       "version": 3,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "document": {}
                     *     }
                     */
                    "application/json": components["schemas"]["DashboardDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getWidgetsData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "widget_ids": [
                 *         "widget_ids"
                 *       ],
                 *       "filter": {},
                 *       "wait_ms": 7
                 *     }
                 */
                "application/json": components["schemas"]["GetWidgetsDataBody"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "widgets": {}
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetBatchDataResponse"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getWidgetData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "widgets": {}
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetBatchDataResponse"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getWidgetRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "page": {
                 *         "cursor": "opaque",
                 *         "limit": 7
                 *       },
                 *       "sort": "sort",
                 *       "search": "order",
                 *       "filters": {},
                 *       "filter": {}
                 *     }
                 */
                "application/json": components["schemas"]["GetWidgetRowsBody"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "columns": [
                     *         {}
                     *       ],
                     *       "rows": [
                     *         {}
                     *       ],
                     *       "next_cursor": "next_cursor",
                     *       "total": 7
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetRows"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getWidgetOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "side": "side",
                 *       "q": "order",
                 *       "cursor": "opaque",
                 *       "value": {}
                 *     }
                 */
                "application/json": components["schemas"]["WidgetOptionsRequestInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "options": [
                     *         {
                     *           "label": "label",
                     *           "value": "value",
                     *           "subText": "subText"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetOptionsResponse"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    exportWidget: {
        parameters: {
            query?: {
                /** @description The file’s format */
                format?: "csv" | "ndjson";
                /** @description A column’s key, or `-key` for descending order */
                sort?: string;
                /** @description Part of the text of any column */
                search?: string;
                /** @description The conditions as JSON text */
                filters?: string;
                /** @description What was chosen of the dashboard’s filters, as JSON text */
                filter?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows as a file, in the `format` of the query */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    submitWidget: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": {},
                 *       "version": 3,
                 *       "dry_run": false
                 *     }
                 */
                "application/json": components["schemas"]["SubmitWidgetBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "saved": true,
                     *       "problems": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ],
                     *       "hidden": [
                     *         "hidden"
                     *       ],
                     *       "value": {},
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetSubmit"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    runWidgetAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RunWidgetActionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "started",
                     *       "message": "Read 10,000 rows",
                     *       "job_run_id": 7,
                     *       "result": {},
                     *       "cooldown_until": "cooldown_until"
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetAction"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "share_token": "share_token",
                     *       "public_url": "public_url",
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "has_password": true
                     *     }
                     */
                    "application/json": components["schemas"]["ShareLinkDetail"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    shareDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_at": "2026-01-15T12:00:00.000Z",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["ShareDashboardBody"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "share_token": "share_token",
                     *       "public_url": "public_url"
                     *     }
                     */
                    "application/json": components["schemas"]["ShareLink"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    revokeShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    rotateShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "share_token": "share_token",
                     *       "public_url": "public_url"
                     *     }
                     */
                    "application/json": components["schemas"]["ShareLink"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    validateDashboard: {
        parameters: {
            query?: {
                /** @description Also checks the names of connectors, tasks, arguments and `job_config` of this job template */
                job_template_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "yaml_content": "dashboard:\n  title: Orders\n  refresh_interval_seconds: 30\n  widgets:\n    - { id: title, type: heading, text: What was sold }\n    - id: by_day\n      type: bar_chart\n      title: Revenue by day\n      connector: warehouse\n      method: query\n      args: { sql: \"SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1\" }\n      x_expr: item.day\n      series: [{ label: Revenue, value_expr: item.revenue }]\n    - { id: run, type: task_progress, task_key: orders, title: The newest run }\n",
                 *       "vars": {}
                 *     }
                 */
                "application/json": components["schemas"]["ValidateDashboardBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "problems": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ],
                     *       "document": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ValidateDashboardAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getPublicDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "title",
                     *       "description": "Every night, before the figures are read",
                     *       "navbar_ctas": [
                     *         {}
                     *       ],
                     *       "refresh_interval_seconds": 7,
                     *       "allow_public_input": true,
                     *       "filters": [
                     *         {}
                     *       ],
                     *       "branding": {
                     *         "product_name": "product_name",
                     *         "logo_url": "logo_url",
                     *         "favicon_url": "favicon_url",
                     *         "primary_color": "primary_color",
                     *         "support_url": "support_url"
                     *       },
                     *       "pages": [
                     *         {
                     *           "id": "id",
                     *           "title": "title",
                     *           "widgets": [
                     *             {}
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublicDashboard"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getPublicWidgetsData: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "widget_ids": [
                 *         "widget_ids"
                 *       ],
                 *       "filter": {},
                 *       "wait_ms": 7
                 *     }
                 */
                "application/json": components["schemas"]["GetPublicWidgetsDataBody"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "widgets": {}
                     *     }
                     */
                    "application/json": components["schemas"]["PublicWidgetBatch"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    unlockPublicDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["UnlockPublicDashboardBody"];
            };
        };
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getPublicWidgetRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "page": {
                 *         "cursor": "opaque",
                 *         "limit": 7
                 *       },
                 *       "sort": "sort",
                 *       "search": "order",
                 *       "filters": {},
                 *       "filter": {}
                 *     }
                 */
                "application/json": components["schemas"]["GetPublicWidgetRowsBody"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "columns": [
                     *         {}
                     *       ],
                     *       "rows": [
                     *         {}
                     *       ],
                     *       "next_cursor": "next_cursor",
                     *       "total": 7
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetRows"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getPublicWidgetOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "side": "side",
                 *       "q": "order",
                 *       "cursor": "opaque",
                 *       "value": {}
                 *     }
                 */
                "application/json": components["schemas"]["WidgetOptionsRequestInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "options": [
                     *         {
                     *           "label": "label",
                     *           "value": "value",
                     *           "subText": "subText"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetOptionsResponse"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    exportPublicWidget: {
        parameters: {
            query?: {
                /** @description The file’s format */
                format?: "csv" | "ndjson";
                /** @description A column’s key, or `-key` for descending order */
                sort?: string;
                /** @description Part of the text of any column */
                search?: string;
                /** @description The conditions as JSON text */
                filters?: string;
                /** @description What was chosen of the dashboard’s filters, as JSON text */
                filter?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows as a file, in the `format` of the query */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    submitPublicWidget: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": {},
                 *       "version": 3,
                 *       "dry_run": false
                 *     }
                 */
                "application/json": components["schemas"]["SubmitPublicWidgetBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "saved": true,
                     *       "problems": [
                     *         {
                     *           "path": "path",
                     *           "message": "Read 10,000 rows",
                     *           "line": 7,
                     *           "column": 7
                     *         }
                     *       ],
                     *       "hidden": [
                     *         "hidden"
                     *       ],
                     *       "value": {},
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetSubmit"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    runPublicWidgetAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The token of the share link
                 * @example token
                 */
                token: string;
                /**
                 * @description The widget’s id in the dashboard’s document
                 * @example by_day
                 */
                widget_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RunPublicWidgetActionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "started",
                     *       "message": "Read 10,000 rows",
                     *       "job_run_id": 7,
                     *       "result": {},
                     *       "cooldown_until": "cooldown_until"
                     *     }
                     */
                    "application/json": components["schemas"]["WidgetAction"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only enabled or only disabled ones */
                enabled?: boolean;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, url, events, job_ids, enabled, previous_secret_until, last_success_at, last_failure_at, consecutive_failures, failing_since, disabled_reason, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 3,
                     *           "name": "on call",
                     *           "description": null,
                     *           "url": "https://alerts.example.com/headgate",
                     *           "events": [
                     *             "run.failing",
                     *             "run.recovered"
                     *           ],
                     *           "job_ids": null,
                     *           "enabled": true,
                     *           "previous_secret_until": null,
                     *           "last_success_at": "2026-01-15T01:00:03.512Z",
                     *           "last_failure_at": null,
                     *           "consecutive_failures": 0,
                     *           "failing_since": null,
                     *           "disabled_reason": null,
                     *           "version": 1,
                     *           "created_at": "2026-01-10T12:00:00.000Z",
                     *           "updated_at": "2026-01-10T12:00:00.000Z",
                     *           "updated_by": "ada@example.com"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebhooksAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "url": "https://alerts.example.com/headgate",
                 *       "events": "*",
                 *       "description": "Every night, before the figures are read",
                 *       "job_ids": null,
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "name": "on call",
                     *       "description": null,
                     *       "url": "https://alerts.example.com/headgate",
                     *       "events": [
                     *         "run.failing",
                     *         "run.recovered"
                     *       ],
                     *       "job_ids": null,
                     *       "enabled": true,
                     *       "previous_secret_until": null,
                     *       "last_success_at": "2026-01-15T01:00:03.512Z",
                     *       "last_failure_at": null,
                     *       "consecutive_failures": 0,
                     *       "failing_since": null,
                     *       "disabled_reason": null,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_by": "ada@example.com",
                     *       "secret": "whsec_bm90IGEgcmVhbCBzZWNyZXQsIGJ1dCBhIGZvcm0gb2Y="
                     *     }
                     */
                    "application/json": components["schemas"]["IssuedWebhook"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, url, events, job_ids, enabled, previous_secret_until, last_success_at, last_failure_at, consecutive_failures, failing_since, disabled_reason, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "name": "on call",
                     *       "description": null,
                     *       "url": "https://alerts.example.com/headgate",
                     *       "events": [
                     *         "run.failing",
                     *         "run.recovered"
                     *       ],
                     *       "job_ids": null,
                     *       "enabled": true,
                     *       "previous_secret_until": null,
                     *       "last_success_at": "2026-01-15T01:00:03.512Z",
                     *       "last_failure_at": null,
                     *       "consecutive_failures": 0,
                     *       "failing_since": null,
                     *       "disabled_reason": null,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "url": "https://alerts.example.com/headgate",
                 *       "events": "*",
                 *       "description": "Every night, before the figures are read",
                 *       "job_ids": null,
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "name": "on call",
                     *       "description": null,
                     *       "url": "https://alerts.example.com/headgate",
                     *       "events": [
                     *         "run.failing",
                     *         "run.recovered"
                     *       ],
                     *       "job_ids": null,
                     *       "enabled": true,
                     *       "previous_secret_until": null,
                     *       "last_success_at": "2026-01-15T01:00:03.512Z",
                     *       "last_failure_at": null,
                     *       "consecutive_failures": 0,
                     *       "failing_since": null,
                     *       "disabled_reason": null,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_by": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "name": "on call",
                     *       "description": null,
                     *       "url": "https://alerts.example.com/headgate",
                     *       "events": [
                     *         "run.failing",
                     *         "run.recovered"
                     *       ],
                     *       "job_ids": null,
                     *       "enabled": true,
                     *       "previous_secret_until": null,
                     *       "last_success_at": "2026-01-15T01:00:03.512Z",
                     *       "last_failure_at": null,
                     *       "consecutive_failures": 0,
                     *       "failing_since": null,
                     *       "disabled_reason": null,
                     *       "version": 1,
                     *       "created_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_at": "2026-01-10T12:00:00.000Z",
                     *       "updated_by": "ada@example.com",
                     *       "secret": "whsec_bm90IGEgcmVhbCBzZWNyZXQsIGJ1dCBhIGZvcm0gb2Y="
                     *     }
                     */
                    "application/json": components["schemas"]["IssuedWebhook"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description Only those with this status */
                status?: "pending" | "delivered" | "failed";
                /** @description job_run.succeeded and job_run.failed: every end of a job run that was not cancelled; warnings count as success. run.failing: the first failure of a job since its last success, once. run.recovered: the first success after it. trigger.paused: a trigger was disabled because its runs failed too often in a row */
                event?: "job_run.succeeded" | "job_run.failed" | "run.failing" | "run.recovered" | "trigger.paused" | "webhook.test";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, webhook_id, event_id, event, status, attempts, next_attempt_at, last_attempt_at, response_status, error, duration_ms, created_at, ended_at */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 17,
                     *           "webhook_id": 3,
                     *           "event_id": "msg_4f1d8c07b2a95e63c0ffee12ab34cd56",
                     *           "event": "run.failing",
                     *           "status": "delivered",
                     *           "attempts": 2,
                     *           "next_attempt_at": null,
                     *           "last_attempt_at": "2026-01-15T01:00:08.104Z",
                     *           "response_status": 204,
                     *           "error": null,
                     *           "duration_ms": 41,
                     *           "created_at": "2026-01-15T01:00:03.012Z",
                     *           "ended_at": "2026-01-15T01:00:08.145Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebhookDeliveriesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The delivery’s id
                 * @example 7
                 */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "webhook_id": 3,
                     *       "event_id": "msg_4f1d8c07b2a95e63c0ffee12ab34cd56",
                     *       "event": "run.failing",
                     *       "status": "delivered",
                     *       "attempts": 2,
                     *       "next_attempt_at": null,
                     *       "last_attempt_at": "2026-01-15T01:00:08.104Z",
                     *       "response_status": 204,
                     *       "error": null,
                     *       "duration_ms": 41,
                     *       "created_at": "2026-01-15T01:00:03.012Z",
                     *       "ended_at": "2026-01-15T01:00:08.145Z",
                     *       "payload": {
                     *         "type": "run.failing",
                     *         "timestamp": "2026-01-15T01:00:03.012Z",
                     *         "data": {
                     *           "job_run_id": 31,
                     *           "job_id": 2,
                     *           "job_name": "orders of Acme",
                     *           "trigger_id": 4,
                     *           "status": "error",
                     *           "reason": "schedule",
                     *           "scheduled_for": "2026-01-15T01:00:00.000Z",
                     *           "ended_at": "2026-01-15T01:00:03.012Z",
                     *           "since": "2026-01-15T01:00:03.012Z"
                     *         }
                     *       },
                     *       "response_body": ""
                     *     }
                     */
                    "application/json": components["schemas"]["WholeWebhookDelivery"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "webhook_id": 3,
                     *       "event_id": "msg_4f1d8c07b2a95e63c0ffee12ab34cd56",
                     *       "event": "run.failing",
                     *       "status": "delivered",
                     *       "attempts": 2,
                     *       "next_attempt_at": null,
                     *       "last_attempt_at": "2026-01-15T01:00:08.104Z",
                     *       "response_status": 204,
                     *       "error": null,
                     *       "duration_ms": 41,
                     *       "created_at": "2026-01-15T01:00:03.012Z",
                     *       "ended_at": "2026-01-15T01:00:08.145Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
                /**
                 * @description The delivery’s id
                 * @example 7
                 */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 17,
                     *       "webhook_id": 3,
                     *       "event_id": "msg_4f1d8c07b2a95e63c0ffee12ab34cd56",
                     *       "event": "run.failing",
                     *       "status": "delivered",
                     *       "attempts": 2,
                     *       "next_attempt_at": null,
                     *       "last_attempt_at": "2026-01-15T01:00:08.104Z",
                     *       "response_status": 204,
                     *       "error": null,
                     *       "duration_ms": 41,
                     *       "created_at": "2026-01-15T01:00:03.012Z",
                     *       "ended_at": "2026-01-15T01:00:08.145Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    redeliverFailedWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-15T12:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["RedeliverFailedWebhookDeliveriesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queued": 12,
                     *       "remaining": 0
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookRedelivery"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getRunMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "available": true,
                     *       "run_id": 7,
                     *       "result": {
                     *         "attempt": 7,
                     *         "status": "status",
                     *         "duration_ms": 7,
                     *         "items": 7
                     *       },
                     *       "steps": [
                     *         {
                     *           "step": "step",
                     *           "kind": "extract",
                     *           "executions": 7,
                     *           "avg_duration_ms": 7,
                     *           "max_duration_ms": 7,
                     *           "avg_item_duration_ms": 7,
                     *           "item_p50_ms": 7,
                     *           "item_p95_ms": 7,
                     *           "item_max_ms": 7,
                     *           "in_flight_max": 7,
                     *           "rows_in": 7,
                     *           "rows_out": 7,
                     *           "errors": 7,
                     *           "skipped": 7
                     *         }
                     *       ],
                     *       "connectors": [
                     *         {
                     *           "connector": "connector",
                     *           "type": "postgres",
                     *           "calls": 7,
                     *           "duration_ms": 7,
                     *           "avg_call_ms": 7,
                     *           "errors": 7
                     *         }
                     *       ],
                     *       "points": [
                     *         {
                     *           "attempt": 7,
                     *           "name": "Nightly import",
                     *           "kind": "counter",
                     *           "value": 7,
                     *           "tags": {},
                     *           "at": "at"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RunMetrics"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listMetricsConfigs: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, backend, config, enabled, version, created_at, updated_at */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 1,
                     *           "name": "default",
                     *           "backend": "localdb",
                     *           "config": {
                     *             "path": "./metrics.db",
                     *             "retention_days": 90
                     *           },
                     *           "enabled": true,
                     *           "version": 1,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListMetricsConfigsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createMetricsConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "backend": "noop",
                 *       "name": "Nightly import",
                 *       "config": {},
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateMetricsConfigBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "default",
                     *       "backend": "localdb",
                     *       "config": {
                     *         "path": "./metrics.db",
                     *         "retention_days": 90
                     *       },
                     *       "enabled": true,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsConfig"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getMetricsConfig: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, backend, config, enabled, version, created_at, updated_at */
                fields?: string;
            };
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "default",
                     *       "backend": "localdb",
                     *       "config": {
                     *         "path": "./metrics.db",
                     *         "retention_days": 90
                     *       },
                     *       "enabled": true,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsConfig"];
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateMetricsConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "backend": "noop",
                 *       "name": "Nightly import",
                 *       "config": {},
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMetricsConfigBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "default",
                     *       "backend": "localdb",
                     *       "config": {
                     *         "path": "./metrics.db",
                     *         "retention_days": 90
                     *       },
                     *       "enabled": true,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsConfig"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteMetricsConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getMetricsTimeseries: {
        parameters: {
            query?: {
                /** @description The number of days, including today (UTC) */
                days?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The task’s id
                 * @example 7
                 */
                taskId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "available": true,
                     *       "task": "orders",
                     *       "points": [
                     *         {
                     *           "day": "2026-01-15",
                     *           "success": 23,
                     *           "error": 1,
                     *           "avg_duration_ms": 812.5,
                     *           "total_items": 48210
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsTimeseries"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getMetricsSummary: {
        parameters: {
            query?: {
                /** @description The number of days, including today (UTC) */
                days?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The task’s id
                 * @example 7
                 */
                taskId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "available": true,
                     *       "task": "task",
                     *       "totals": {
                     *         "runs": 7,
                     *         "success": 7,
                     *         "warning": 7,
                     *         "error": 7,
                     *         "cancelled": 7,
                     *         "skipped": 7,
                     *         "items": 7
                     *       },
                     *       "durations": {
                     *         "avg": 7,
                     *         "p50": 7,
                     *         "p95": 7,
                     *         "max": 7
                     *       },
                     *       "steps": [
                     *         {
                     *           "step": "step",
                     *           "kind": "extract",
                     *           "executions": 7,
                     *           "avg_duration_ms": 7,
                     *           "max_duration_ms": 7,
                     *           "avg_item_duration_ms": 7,
                     *           "item_p50_ms": 7,
                     *           "item_p95_ms": 7,
                     *           "item_max_ms": 7,
                     *           "in_flight_max": 7,
                     *           "rows_in": 7,
                     *           "rows_out": 7,
                     *           "errors": 7,
                     *           "skipped": 7
                     *         }
                     *       ],
                     *       "connectors": [
                     *         {
                     *           "connector": "connector",
                     *           "type": "postgres",
                     *           "calls": 7,
                     *           "duration_ms": 7,
                     *           "avg_call_ms": 7,
                     *           "errors": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsSummary"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    exportBundle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tasks": [],
                 *       "job_templates": [],
                 *       "include_dashboard_templates": true,
                 *       "include_connectors": false,
                 *       "format": "yaml"
                 *     }
                 */
                "application/json": components["schemas"]["ExportBundleBody"];
            };
        };
        responses: {
            /** @description The bundle: YAML, or a zip with `format` or `Accept` */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": {
                        [key: string]: unknown;
                    };
                    "application/zip": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    importBundle: {
        parameters: {
            query?: {
                /** @description Only make the plan */
                dry_run?: boolean;
                /** @description What happens to an existing definition that differs. `fail` (default): nothing is imported. `update`: a new version. `skip`: it is kept. `rename`: the bundle’s is created as `<name>-2`; not for a task that a template of the bundle names */
                conflict?: "fail" | "update" | "skip" | "rename";
                /** @description What happens to missing connectors of the bundle, or of types that its templates need. `stub` (default): those of the bundle are created without secrets, which requires an admin. `fail`: nothing is imported */
                connector_missing?: "stub" | "fail";
                /** @description From a dry run; required without `dry_run` */
                plan_hash?: string;
            };
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bundle": "headgate_bundle: 1\ntasks:\n  - name: load_orders\n    yaml: |\n      version: 1\n      name: load_orders\n      description: Orders from a CSV file into PostgreSQL\n      connectors:\n        file: { type: csv }\n        warehouse: { type: postgres }\n      retry: { max_attempts: 3, delay: 5s }\n      steps:\n        - { id: read, kind: extract, connector: file, method: read }\n        - id: shape\n          kind: transform\n          input: read\n          ops:\n            - cast: { order_id: integer, quantity: integer, unit_price: number }\n            - filter: item.status != 'cancelled'\n            - set: { amount: \"$round(item.quantity * item.unit_price, 2)\" }\n          on_error: { action: dead_letter, max_error_rate: 0.05 }\n        - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }\n",
                 *       "conflict": "update",
                 *       "plan_hash": "5f1d9c045f1d9c045f1d9c045f1d9c045f1d9c045f1d9c045f1d9c045f1d9c04"
                 *     }
                 */
                "application/json": components["schemas"]["ImportBundleBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "plan_hash": "plan_hash",
                     *       "applicable": true,
                     *       "required_role": "editor",
                     *       "summary": {
                     *         "create": 7,
                     *         "update": 7,
                     *         "unchanged": 7,
                     *         "skip": 7,
                     *         "conflict": 7,
                     *         "missing_dependency": 7,
                     *         "invalid": 7
                     *       },
                     *       "items": [
                     *         {
                     *           "kind": "task",
                     *           "name": "copy",
                     *           "job_template": null,
                     *           "action": "update",
                     *           "rename_to": null,
                     *           "id": 3,
                     *           "version": 4,
                     *           "changes": [
                     *             "yaml_content"
                     *           ],
                     *           "diff": "--- task copy, version 4\n+++ task copy of the bundle\n@@ -1,2 +1,2 @@\n version: 1\n-name: copie\n+name: copy\n",
                     *           "problems": [],
                     *           "warnings": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getAiStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "configured": true,
                     *       "provider": "openai",
                     *       "model": "llama3.3",
                     *       "base_url_host": "127.0.0.1:11434",
                     *       "max_tokens": 16000,
                     *       "timeout_seconds": 120
                     *     }
                     */
                    "application/json": components["schemas"]["AiStatus"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    generateTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Copy open orders of the shop into the warehouse",
                 *       "connector_ids": [
                 *         3,
                 *         4
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GenerateTaskBody"];
            };
        };
        responses: {
            /** @description The task; with `stream` the events of its making */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "yaml_content": "version: 1\nname: hello\nsteps:\n  - { id: say, kind: log, message: hello }\n",
                     *       "valid": true,
                     *       "problems": [],
                     *       "references_used": [
                     *         {
                     *           "id": 2,
                     *           "name": "Naming of tables",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "attempts": 1,
                     *       "usage": {
                     *         "input_tokens": 7210,
                     *         "output_tokens": 180
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GeneratedTask"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            502: components["responses"]["CONNECTOR_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listAiReferences: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only enabled or only disabled ones */
                enabled?: boolean;
                /** @description Part of the name, in upper or lower case; of fewer than three characters: its beginning */
                q?: string;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, content_chars, tags, enabled, version, created_at, updated_at, updated_by */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 2,
                     *           "name": "Naming of tables",
                     *           "description": null,
                     *           "content_chars": 54,
                     *           "tags": [
                     *             "warehouse"
                     *           ],
                     *           "enabled": true,
                     *           "version": 1,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_by": "ada@example.com"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListAiReferencesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    createAiReference: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key and body within 24 hours has no second effect */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "content": "content",
                 *       "tags": [
                 *         "warehouse"
                 *       ],
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateAiReferenceBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 2,
                     *       "name": "Naming of tables",
                     *       "description": null,
                     *       "content_chars": 54,
                     *       "tags": [
                     *         "warehouse"
                     *       ],
                     *       "enabled": true,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com",
                     *       "content": "Tables of the warehouse are plural, in the schema raw."
                     *     }
                     */
                    "application/json": components["schemas"]["AiReference"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["UNPROCESSABLE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getAiReference: {
        parameters: {
            query?: {
                /** @description Only these fields, separated by commas; others are left out, required or not: id, name, description, content_chars, tags, enabled, version, created_at, updated_at, updated_by, content */
                fields?: string;
            };
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 2,
                     *       "name": "Naming of tables",
                     *       "description": null,
                     *       "content_chars": 54,
                     *       "tags": [
                     *         "warehouse"
                     *       ],
                     *       "enabled": true,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com",
                     *       "content": "Tables of the warehouse are plural, in the schema raw."
                     *     }
                     */
                    "application/json": components["schemas"]["AiReference"];
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateAiReference: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "description": "Every night, before the figures are read",
                 *       "content": "content",
                 *       "tags": [
                 *         "warehouse"
                 *       ],
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAiReferenceBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 2,
                     *       "name": "Naming of tables",
                     *       "description": null,
                     *       "content_chars": 54,
                     *       "tags": [
                     *         "warehouse"
                     *       ],
                     *       "enabled": true,
                     *       "version": 1,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_by": "ada@example.com",
                     *       "content": "Tables of the warehouse are plural, in the schema raw."
                     *     }
                     */
                    "application/json": components["schemas"]["AiReference"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deleteAiReference: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description The most records on a page */
                limit?: number;
                /** @description The next_cursor of the previous page */
                cursor?: string;
                /** @description The sort field; with "-" in descending order */
                sort?: "id" | "-id";
                /** @description The kind of the changed record, such as "task" */
                resource_type?: string;
                /** @description The id of the changed record */
                resource_id?: string;
                /** @description The action, such as "task.update" */
                action?: string;
                /** @description The id of the actor */
                actor_id?: number;
                /** @description Only these fields, separated by commas; others are left out, required or not: id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, diff, address, request_id, outcome */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "at": "at",
                     *           "actor_type": "actor_type",
                     *           "actor_id": 7,
                     *           "actor_name": "actor_name",
                     *           "action": "action",
                     *           "resource_type": "resource_type",
                     *           "resource_id": "resource_id",
                     *           "diff": {},
                     *           "address": "address",
                     *           "request_id": "request_id",
                     *           "outcome": "outcome"
                     *         }
                     *       ],
                     *       "next_cursor": "next_cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ListAuditLogsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getBranding: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product_name": "product_name",
                     *       "logo_url": "logo_url",
                     *       "favicon_url": "favicon_url",
                     *       "primary_color": "primary_color",
                     *       "support_url": "support_url"
                     *     }
                     */
                    "application/json": components["schemas"]["Branding"];
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    replaceBranding: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "product_name": "Headgate",
                 *       "logo_url": null,
                 *       "favicon_url": null,
                 *       "primary_color": null,
                 *       "support_url": null
                 *     }
                 */
                "application/json": components["schemas"]["ReplaceBrandingBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product_name": "product_name",
                     *       "logo_url": "logo_url",
                     *       "favicon_url": "favicon_url",
                     *       "primary_color": "primary_color",
                     *       "support_url": "support_url"
                     *     }
                     */
                    "application/json": components["schemas"]["Branding"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listExecutorKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "fingerprint": "9f2c41d07ab3e856",
                     *           "setting": "current",
                     *           "first_seen_at": "2026-01-15T12:00:00.000Z",
                     *           "last_seen_at": "2026-01-15T12:00:00.000Z",
                     *           "revoked_at": "2026-01-15T12:00:00.000Z",
                     *           "revoked_by": "revoked_by"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListExecutorKeysAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    revokeExecutorKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The start of the key’s SHA-256, as the list of keys shows it
                 * @example 9f2c41d07ab3e856
                 */
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "fingerprint": "9f2c41d07ab3e856",
                     *       "setting": "current",
                     *       "first_seen_at": "2026-01-15T12:00:00.000Z",
                     *       "last_seen_at": "2026-01-15T12:00:00.000Z",
                     *       "revoked_at": "2026-01-15T12:00:00.000Z",
                     *       "revoked_by": "revoked_by"
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutorKey"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getServerInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "version",
                     *       "store": "store",
                     *       "workers": {
                     *         "threads": 7,
                     *         "queued": 7,
                     *         "running": 7,
                     *         "restarts": 7
                     *       },
                     *       "limits": {
                     *         "body_bytes": 7,
                     *         "queue_max": 7,
                     *         "task_timeout_ms": 7,
                     *         "requests_per_minute": 7
                     *       },
                     *       "grpc": {
                     *         "address": "address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerInfo"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listExecutors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "instance_id": "0b9c5f1e-7a34-4d0e-9b1c-2f6a8e3d5c70",
                     *           "version": "version",
                     *           "protocol_version": 7,
                     *           "labels": {},
                     *           "connector_types": [
                     *             "connector_types"
                     *           ],
                     *           "slots": 7,
                     *           "status": "status",
                     *           "registered_at": "2026-01-15T12:00:00.000Z",
                     *           "last_seen_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListExecutorsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "running": [
                     *         {
                     *           "id": 7,
                     *           "job_id": 7,
                     *           "job_name": "job_name",
                     *           "trigger_name": "trigger_name",
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step",
                     *             "task": "task",
                     *             "run_id": 7
                     *           },
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "failing": [
                     *         {
                     *           "id": 7,
                     *           "job_id": 7,
                     *           "job_name": "job_name",
                     *           "trigger_name": "trigger_name",
                     *           "status": "queued",
                     *           "reason": "manual",
                     *           "error": {
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "step": "step",
                     *             "task": "task",
                     *             "run_id": 7
                     *           },
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": "2026-01-15T12:00:00.000Z",
                     *           "ended_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "late": [
                     *         {
                     *           "id": 7,
                     *           "name": "Nightly import",
                     *           "job_id": 7,
                     *           "job_name": "job_name",
                     *           "due_at": "2026-01-15T12:00:00.000Z",
                     *           "job_run_id": 7,
                     *           "reason": "not_fired"
                     *         }
                     *       ],
                     *       "queue": {
                     *         "ready": 7,
                     *         "delayed": 7,
                     *         "running": 7,
                     *         "oldest_ready_ms": 7
                     *       },
                     *       "executors": {
                     *         "online": 7,
                     *         "draining": 7,
                     *         "lost": 7
                     *       },
                     *       "dead_letters": {
                     *         "open": 7,
                     *         "newest": [
                     *           {
                     *             "id": 7,
                     *             "run_id": 7,
                     *             "job_id": 7,
                     *             "job_name": "job_name",
                     *             "task_name": "task_name",
                     *             "step_id": "read",
                     *             "code": "TYPE",
                     *             "message": "Read 10,000 rows",
                     *             "created_at": "2026-01-15T12:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getServerConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": {
                     *         "retention.log_days": {
                     *           "value": 30,
                     *           "source": "default",
                     *           "locked": false,
                     *           "default": 30,
                     *           "secret": false,
                     *           "description": "Days to keep a log; 0 = forever."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerConfiguration"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    updateServerConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "settings": {
                 *         "ai.model": "gpt-5.4-mini",
                 *         "retention.log_days": 14
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateServerConfigBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": {
                     *         "retention.log_days": {
                     *           "value": 30,
                     *           "source": "default",
                     *           "locked": false,
                     *           "default": 30,
                     *           "secret": false,
                     *           "description": "Days to keep a log; 0 = forever."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerConfiguration"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer that the client has; answers 304 if it is still the same */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description `task`, `job-template` or `dashboard`
                 * @example document
                 */
                document: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Headgate task",
                     *       "type": "object"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client already has it (`If-None-Match`) */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "version",
                     *       "uptime_seconds": 7
                     *     }
                     */
                    "application/json": components["schemas"]["GetHealthAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": {
                     *         "store": "ok",
                     *         "migrations": "ok",
                     *         "scheduler": "ok",
                     *         "executors": "ok",
                     *         "grpc": "ok"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetReadinessAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            /** @description Service Unavailable */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": {
                     *         "store": "ok",
                     *         "migrations": "ok",
                     *         "scheduler": "ok",
                     *         "executors": "ok",
                     *         "grpc": "ok"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetReadiness503"];
                };
            };
        };
    };
    getPrometheusMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    registerExecutor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "berlin-1",
                 *       "instance_id": "0b9c5f1e-7a34-4d0e-9b1c-2f6a8e3d5c70",
                 *       "version": "1.0.0",
                 *       "protocol_version": 1,
                 *       "features": [],
                 *       "labels": {
                 *         "region": "eu"
                 *       },
                 *       "slots": 2,
                 *       "connector_types": [
                 *         "csv",
                 *         "postgres"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RegisterExecutorBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "executor_id": 7,
                     *       "session_token": "session_token",
                     *       "protocol_version": 7,
                     *       "limits": {
                     *         "lease_ttl_ms": 7,
                     *         "heartbeat_ms": 7,
                     *         "reconnect_grace_ms": 7,
                     *         "log_batch_lines_max": 7,
                     *         "log_batch_bytes_max": 7,
                     *         "log_line_bytes_max": 7,
                     *         "assignment_ack_ms": 7
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutorRegistration"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    deregisterExecutor: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requeued": 7
                     *     }
                     */
                    "application/json": components["schemas"]["DeregisterExecutorAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    heartbeatExecutor: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "leases": [
                 *         {
                 *           "run_id": 7,
                 *           "attempt": 1,
                 *           "epoch": 3,
                 *           "token": "d41c6f0b9a2e4877"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["HeartbeatExecutorBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "leases": [
                     *         {
                     *           "run_id": 7,
                     *           "attempt": 1,
                     *           "outcome": "ACCEPTED"
                     *         }
                     *       ],
                     *       "cancels": [
                     *         {
                     *           "run_id": 7,
                     *           "attempt": 1,
                     *           "force": false,
                     *           "grace_ms": 10000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HeartbeatExecutorAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    nextAssignments: {
        parameters: {
            query?: {
                /** @description Seconds to wait for work */
                wait?: number;
            };
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credits": 7
                 *     }
                 */
                "application/json": components["schemas"]["NextAssignmentsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "assignments": [
                     *         {
                     *           "lease": {
                     *             "run_id": 7,
                     *             "attempt": 1,
                     *             "epoch": 3,
                     *             "token": "d41c6f0b9a2e4877"
                     *           },
                     *           "lease_ttl_ms": 30000,
                     *           "task_name": "sync_orders"
                     *         }
                     *       ],
                     *       "cancels": [
                     *         {
                     *           "run_id": 7,
                     *           "attempt": 1,
                     *           "force": false,
                     *           "grace_ms": 10000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NextAssignmentsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    drainExecutor: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease": {
                 *         "run_id": 7,
                 *         "attempt": 1,
                 *         "epoch": 3,
                 *         "token": "d41c6f0b9a2e4877"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["StartRunBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": 7,
                     *       "attempt": 1,
                     *       "outcome": "ACCEPTED"
                     *     }
                     */
                    "application/json": components["schemas"]["LeaseOutcome"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    reportRunProgress: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease": {
                 *         "run_id": 7,
                 *         "attempt": 1,
                 *         "epoch": 3,
                 *         "token": "d41c6f0b9a2e4877"
                 *       },
                 *       "step_id": "read",
                 *       "rows_in": 7,
                 *       "rows_out": 7,
                 *       "rows_failed": 7,
                 *       "rows_per_second": 7,
                 *       "ratio": 7
                 *     }
                 */
                "application/json": components["schemas"]["ReportRunProgressBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": 7,
                     *       "attempt": 1,
                     *       "outcome": "ACCEPTED"
                     *     }
                     */
                    "application/json": components["schemas"]["LeaseOutcome"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    completeRun: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease": {
                 *         "run_id": 7,
                 *         "attempt": 1,
                 *         "epoch": 3,
                 *         "token": "d41c6f0b9a2e4877"
                 *       },
                 *       "status": "success",
                 *       "reason": "manual",
                 *       "failure": {
                 *         "code": "TYPE",
                 *         "message": "Read 10,000 rows",
                 *         "step_id": "read"
                 *       },
                 *       "rows_in": 7,
                 *       "rows_out": 7,
                 *       "rows_failed": 7,
                 *       "rows_skipped": 7,
                 *       "rows_filtered": 0,
                 *       "rows_deleted": 0,
                 *       "last_log_seq": 7,
                 *       "steps": [
                 *         {
                 *           "step_id": "read",
                 *           "kind": "extract",
                 *           "status": "success",
                 *           "rows_in": 7,
                 *           "rows_out": 7,
                 *           "rows_failed": 7,
                 *           "rows_skipped": 7,
                 *           "rows_filtered": 0,
                 *           "rows_deleted": 0,
                 *           "started_at": 7,
                 *           "ended_at": 7,
                 *           "attempts": 7,
                 *           "error": "error",
                 *           "cursor": null
                 *         }
                 *       ],
                 *       "retryable": true,
                 *       "args": null,
                 *       "outputs": {}
                 *     }
                 */
                "application/json": components["schemas"]["CompleteRunBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": 7,
                     *       "attempt": 1,
                     *       "outcome": "ACCEPTED"
                     *     }
                     */
                    "application/json": components["schemas"]["LeaseOutcome"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    appendRunLogs: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease": {
                 *         "run_id": 7,
                 *         "attempt": 1,
                 *         "epoch": 3,
                 *         "token": "d41c6f0b9a2e4877"
                 *       },
                 *       "first_seq": 7,
                 *       "lines": [
                 *         {
                 *           "at": 7,
                 *           "level": "debug",
                 *           "step_id": "read",
                 *           "message": "Read 10,000 rows",
                 *           "fields": {}
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LogBatchInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": 7,
                     *       "attempt": 1,
                     *       "outcome": "ACCEPTED",
                     *       "acked_seq": 120,
                     *       "resend_from": 0,
                     *       "window_bytes": 1048576
                     *     }
                     */
                    "application/json": components["schemas"]["LogAck"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    putRunDeadLetters: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease": {
                 *         "run_id": 7,
                 *         "attempt": 1,
                 *         "epoch": 3,
                 *         "token": "d41c6f0b9a2e4877"
                 *       },
                 *       "first_seq": 7,
                 *       "items": [
                 *         {
                 *           "step_id": "read",
                 *           "item": {},
                 *           "code": "TYPE",
                 *           "message": "Read 10,000 rows",
                 *           "replay_of": 7,
                 *           "origin": {},
                 *           "column": "column",
                 *           "value": {},
                 *           "task": "task"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PutRunDeadLettersBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "ACCEPTED",
                     *       "acked_seq": 7
                     *     }
                     */
                    "application/json": components["schemas"]["PutRunDeadLettersAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getRunSpec: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
                /** @description The lease’s attempt; its run_id is the path’s */
                "x-lease-attempt": string;
                /** @description The lease’s epoch */
                "x-lease-epoch": string;
                /** @description The lease’s token */
                "x-lease-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "ACCEPTED",
                     *       "value": {
                     *         "task_name": "task_name",
                     *         "task_version": 7,
                     *         "yaml": "yaml",
                     *         "args": {},
                     *         "args_template": {},
                     *         "when_expr": "when_expr",
                     *         "job_config": {},
                     *         "connectors": {},
                     *         "run": {},
                     *         "timeout_ms": 7,
                     *         "metrics": [
                     *           {
                     *             "backend": "backend",
                     *             "config": {},
                     *             "own": {
                     *               "task_id": 7,
                     *               "tags": {}
                     *             }
                     *           }
                     *         ],
                     *         "secrets": [
                     *           "secrets"
                     *         ],
                     *         "replay": {
                     *           "step_id": "read",
                     *           "letters": 7
                     *         },
                     *         "tasks": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetRunSpecAnswer1"] | components["schemas"]["GetRunSpecAnswer2"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    listReplayRows: {
        parameters: {
            query?: {
                /** @description The dead letter of the last row received */
                after?: number;
            };
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
                /** @description The lease’s attempt; its run_id is the path’s */
                "x-lease-attempt": string;
                /** @description The lease’s epoch */
                "x-lease-epoch": string;
                /** @description The lease’s token */
                "x-lease-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "ACCEPTED",
                     *       "value": {
                     *         "rows": [
                     *           {
                     *             "letter_id": 7,
                     *             "item": {}
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListReplayRowsAnswer1"] | components["schemas"]["ListReplayRowsAnswer2"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    getRunCheckpoint: {
        parameters: {
            query: {
                /** @description The name under which it was saved */
                name: string;
            };
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
                /** @description The lease’s attempt; its run_id is the path’s */
                "x-lease-attempt": string;
                /** @description The lease’s epoch */
                "x-lease-epoch": string;
                /** @description The lease’s token */
                "x-lease-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "ACCEPTED",
                     *       "value": {
                     *         "value": {},
                     *         "version": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetRunCheckpointAnswer1"] | components["schemas"]["GetRunCheckpointAnswer2"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    saveRunCheckpoint: {
        parameters: {
            query?: never;
            header: {
                /** @description The executor_id from the registration */
                "x-executor-id": string;
                /** @description The session_token from the registration */
                "x-session-token": string;
            };
            path: {
                /**
                 * @description The record’s id
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease": {
                 *         "run_id": 7,
                 *         "attempt": 1,
                 *         "epoch": 3,
                 *         "token": "d41c6f0b9a2e4877"
                 *       },
                 *       "name": "Nightly import",
                 *       "value": {},
                 *       "expected_version": 7
                 *     }
                 */
                "application/json": components["schemas"]["SaveRunCheckpointBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "ACCEPTED",
                     *       "value": {
                     *         "version": 3,
                     *         "stored": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SaveRunCheckpointAnswer1"] | components["schemas"]["SaveRunCheckpointAnswer2"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
    ingestMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The executor_id from the registration */
                "x-executor-id"?: string;
                /** @description The session_token from the registration */
                "x-session-token"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease": {
                 *         "run_id": 7,
                 *         "attempt": 1,
                 *         "epoch": 3,
                 *         "token": "d41c6f0b9a2e4877"
                 *       },
                 *       "batch_seq": 7,
                 *       "metrics": [
                 *         {
                 *           "name": "Nightly import",
                 *           "kind": "counter",
                 *           "value": 7,
                 *           "tags": {},
                 *           "at": 7
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IngestMetricsBody1"] | components["schemas"]["IngestMetricsBody2"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": 7,
                     *       "attempt": 1,
                     *       "outcome": "ACCEPTED",
                     *       "batch_seq": 4
                     *     }
                     */
                    "application/json": components["schemas"]["IngestMetricsAnswer1"] | components["schemas"]["IngestMetricsAnswer2"];
                };
            };
            400: components["responses"]["VALIDATION_ERROR"];
            401: components["responses"]["AUTH_ERROR"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["NOT_READY"];
        };
    };
}
