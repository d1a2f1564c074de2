"""The whole path with a client that was generated from the OpenAPI document; prints what it saw as JSON."""

import json
import time

import headgate_client.models as models
from headgate_client import AuthenticatedClient
from headgate_client.api.connectors import create_connector
from headgate_client.api.job_runs import get_job_run
from headgate_client.api.job_templates import create_job_template
from headgate_client.api.jobs import create_job, start_job
from headgate_client.api.runs import download_run_logs, list_run_steps, stream_run_logs
from headgate_client.api.tasks import create_task, get_task, list_tasks, update_task

with open("given.json") as file:
    given = json.load(file)
client = AuthenticatedClient(base_url=given["url"], token=given["key"], raise_on_unexpected_status=True)

connector = create_connector.sync(
    client=client,
    body=models.CreateConnectorBody.from_dict(
        {"name": "source", "type": "dummy", "config": {"rows": [{"id": 1}, {"id": 2}]}}
    ),
)
task = create_task.sync(client=client, body=models.CreateTaskBody(yaml_content=given["TASK"]))
template = create_job_template.sync(
    client=client, body=models.CreateJobTemplateBody(name="things", yaml_content=given["TEMPLATE"])
)
job = create_job.sync(
    template.id,
    client=client,
    body=models.CreateJobBody.from_dict({"name": "things of one", "connector_mapping": {"source": connector.id}}),
)
# The body is optional.
job_run = start_job.sync(job.id, client=client)
while True:
    detail = get_job_run.sync(job_run.id, client=client)
    if detail.status not in ("queued", "running"):
        break
    time.sleep(0.1)
run = detail.runs[0]
steps = list_run_steps.sync(run.id, client=client)
log = download_run_logs.sync_detailed(run.id, client=client)
events = stream_run_logs.sync_detailed(run.id, client=client)

create_task.sync(client=client, body=models.CreateTaskBody(name="another", yaml_content=given["TASK"]))
first = list_tasks.sync(client=client, limit=1)
second = list_tasks.sync(client=client, limit=1, cursor=first.next_cursor)

etag = get_task.sync_detailed(task.id, client=client).headers["etag"]
body = models.UpdateTaskBody(yaml_content=given["TASK"].replace("things,", "other_things,"))
changed = update_task.sync(task.id, client=client, body=body, if_match=etag)
refused = update_task.sync_detailed(task.id, client=client, body=body, if_match=etag)

print(
    json.dumps(
        {
            "connector": connector.type_,
            "status": str(detail.status),
            "items": run.items.to_dict(),
            "steps": [step.step_id for step in steps.result],
            "has_log": len(log.content.splitlines()) > 1,
            "has_end": b"event: end" in events.content,
            "pages": [[task.name for task in page.result] for page in (first, second)],
            "changed": changed.version,
            "refused": [int(refused.status_code), str(refused.parsed.error)],
            "lacking": [name for name in given["EVENTS"] if not hasattr(models, name)],
        }
    )
)
