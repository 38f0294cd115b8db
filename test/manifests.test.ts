import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'

const CONF = join(import.meta.dirname, '../conf')
const KUBERNETES = join(CONF, 'kubernetes')
const COMPONENT = join(KUBERNETES, 'reload-in-place')

/** A part of a manifest, of which no more is known than that it is data. */
type Data = Readonly<Record<string, unknown>>

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null

/** The value at a path of keys. */
function at(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>((found, key) => (isData(found) ? found[key] : undefined), value)
}

function list(value: unknown, ...keys: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...keys)
  return Array.isArray(found) ? found : []
}

/** The only document of a file; mistakes of the YAML are thrown. */
function manifest(path: string): unknown {
  const documents = parseAllDocuments(readFileSync(path, 'utf8'), { uniqueKeys: true })
  if (documents.length !== 1) throw new Error(`${path} has ${documents.length} documents`)
  const [document] = documents
  if ('errors' in document && document.errors.length > 0) throw document.errors[0]
  return document.toJS()
}

const named = (name: string): unknown => manifest(join(KUBERNETES, `${name}.yaml`))
const deployment = named('deployment')
const pod = at(deployment, 'spec', 'template')
const [server] = list(pod, 'spec', 'containers')
const kustomization = named('kustomization')
const dockerfile = readFileSync(join(CONF, 'container/Dockerfile'), 'utf8')
const httpdConf = readFileSync(join(CONF, 'container/httpd.conf'), 'latin1')

const names = (things: readonly unknown[]): unknown[] => things.map((thing) => at(thing, 'name'))

t.test('every manifest is named by the kustomization, or the component', async (t) => {
  const files = readdirSync(KUBERNETES).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  const text = readFileSync(join(KUBERNETES, 'kustomization.yaml'), 'utf8')
  for (const file of files) t.match(text, `- ${file}`)
  for (const file of list(kustomization, 'resources')) t.ok(files.includes(String(file)), `${file} is there`)
  t.match(text, '#   - reload-in-place')
  const component = manifest(join(COMPONENT, 'kustomization.yaml'))
  const inComponent = readdirSync(COMPONENT)
  for (const patch of list(component, 'patches')) t.ok(inComponent.includes(String(at(patch, 'path'))))
  for (const map of list(component, 'configMapGenerator'))
    for (const file of list(map, 'files')) t.ok(inComponent.includes(String(file)), `${file} is there`)
})

t.test('selectors choose the pods, and what scales names the deployment', async (t) => {
  const labels = at(pod, 'metadata', 'labels')
  t.strictSame(at(deployment, 'spec', 'selector', 'matchLabels'), labels)
  t.strictSame(at(named('service'), 'spec', 'selector'), labels)
  for (const name of ['pod-disruption-budget', 'pod-monitor'])
    t.strictSame(at(named(name), 'spec', 'selector', 'matchLabels'), labels, name)
  const target = at(named('horizontal-pod-autoscaler'), 'spec', 'scaleTargetRef')
  t.match(target, { apiVersion: at(deployment, 'apiVersion'), kind: 'Deployment', name: at(deployment, 'metadata', 'name') })
})

t.test(
  'ports are those that the image exposes and its configuration listens on, and are called by the names they have',
  async (t) => {
    const ports = list(server, 'ports')
    const numbers = ports.map((port) => String(at(port, 'containerPort')))
    t.strictSame(/^EXPOSE (.*)$/m.exec(dockerfile)?.[1].split(' '), numbers)
    t.strictSame(
      [...httpdConf.matchAll(/^Listen (\d+)$/gm)].map(([, port]) => port),
      numbers,
    )
    for (const port of list(named('service'), 'spec', 'ports')) t.ok(names(ports).includes(at(port, 'targetPort')))
    for (const end of list(named('pod-monitor'), 'spec', 'podMetricsEndpoints')) t.equal(at(end, 'port'), 'status')
    const status = ports.find((port) => at(port, 'name') === 'status')
    t.equal(at(pod, 'metadata', 'annotations', 'prometheus.io/port'), String(at(status, 'containerPort')))
  },
)

t.test('probes and scrapes request URLs that the status virtual host grants', async (t) => {
  const [, granted] =
    /<VirtualHost \*:8081>[\s\S]*?<Location "(\/[^"]+)">\n\s+SetHandler server-status\n\s+Require all granted/.exec(httpdConf) ??
    []
  t.equal(granted, '/server-status')
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    t.match(at(server, probe, 'httpGet'), { path: `${granted}?auto`, port: 'status' }, probe)
  }
  t.equal(at(pod, 'metadata', 'annotations', 'prometheus.io/path'), granted)
  t.equal(at(list(named('pod-monitor'), 'spec', 'podMetricsEndpoints')[0], 'path'), granted)
})

t.test('containers write only to existing volumes, and do not run as root', async (t) => {
  const patch = manifest(join(COMPONENT, 'watcher.yaml'))
  const [watcher] = list(patch, 'spec', 'template', 'spec', 'containers')
  const volumes = [...list(pod, 'spec', 'volumes'), ...list(patch, 'spec', 'template', 'spec', 'volumes')]
  for (const container of [server, watcher]) {
    t.match(at(container, 'securityContext'), {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    for (const name of names(list(container, 'volumeMounts'))) t.ok(names(volumes).includes(name), `${name} is a volume`)
  }
  const mounts = list(server, 'volumeMounts')
  t.strictSame(
    mounts.map((mount) => at(mount, 'mountPath')),
    ['/opt/gatewright/conf/site', '/opt/gatewright/logs'],
  )
  t.match(httpdConf, /^PidFile logs\//m)
  t.match(httpdConf, /^IncludeOptional conf\/site\/\*\.conf$/m)
  const user = Number(/^USER (\d+):\d+$/m.exec(dockerfile)?.[1])
  t.match(at(pod, 'spec', 'securityContext'), { runAsNonRoot: true, runAsUser: user, fsGroup: user })
})

t.test('configuration maps have the names that volumes refer to', async (t) => {
  const maps = [
    ...list(kustomization, 'configMapGenerator'),
    ...list(manifest(join(COMPONENT, 'kustomization.yaml')), 'configMapGenerator'),
  ]
  const patch = manifest(join(COMPONENT, 'watcher.yaml'))
  const volumes = [...list(pod, 'spec', 'volumes'), ...list(patch, 'spec', 'template', 'spec', 'volumes')]
  const wanted = volumes.map((volume) => at(volume, 'configMap', 'name')).filter((name) => name !== undefined)
  t.strictSame(wanted, ['gatewright-site', 'gatewright-watcher'])
  for (const name of wanted) t.ok(names(maps).includes(name), `${name} is generated`)
})
