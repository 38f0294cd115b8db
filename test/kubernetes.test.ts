/** The files of conf/kubernetes: their names agree, the metric exists, and the server accepts the configuration of a pod. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

t.setTimeout(300_000)

const FOLDER = join(import.meta.dirname, '../conf/kubernetes')
const CONTAINER = join(import.meta.dirname, '../conf/container/httpd.conf')
const NAME = 'app.kubernetes.io/name'

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path of names and indices; undefined if there is none. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step]
    else found = isFields(found) ? found[step] : undefined
  }
  return found
}

function documentsOf(file: string): readonly unknown[] {
  return parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`)
    return document.toJS()
  })
}

const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort((a, b) => a.split('/').length - b.split('/').length)
const OBJECTS = FILES.filter((file) => !file.endsWith('kustomization.yaml')).flatMap((file) => documentsOf(file))

/** The first of that name: a patch of a component comes after what it patches. */
const objectOf = (kind: string, name: string): unknown =>
  OBJECTS.find((object) => at(object, 'kind') === kind && at(object, 'metadata', 'name') === name)

t.test('every file is YAML with objects that have a kind and a name', async (t) => {
  t.ok(FILES.length > 8)
  for (const object of OBJECTS) {
    t.type(at(object, 'kind'), 'string')
    t.match(at(object, 'metadata', 'name'), /^gatewright/)
  }
})

t.test('kustomizations name files that exist', async (t) => {
  for (const file of FILES.filter((name) => name.endsWith('kustomization.yaml'))) {
    const [kustomization] = documentsOf(file)
    const generated = at(kustomization, 'configMapGenerator')
    const named = [
      at(kustomization, 'resources'),
      ...(Array.isArray(generated) ? generated.map((one) => at(one, 'files')) : []),
    ].flatMap((list) => (Array.isArray(list) ? list : []))
    t.ok(named.length > 0, file)
    for (const name of named) t.ok(existsSync(join(FOLDER, file, '..', String(name))), `${file}: ${name}`)
  }
  const main = readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8')
  for (const component of ['reload-in-place', 'shared-cache']) t.match(main, new RegExp(`^# {3}- ${component}$`, 'm'))
})

t.test('services, budgets, policies and the autoscaler select the pods of a deployment', async (t) => {
  for (const name of ['gatewright', 'gatewright-redis']) {
    const label = (object: unknown, ...path: readonly string[]): unknown => at(object, 'spec', ...path, NAME)
    const deployment = objectOf('Deployment', name)
    t.equal(label(deployment, 'selector', 'matchLabels'), name)
    t.equal(label(deployment, 'template', 'metadata', 'labels'), name)
    t.equal(label(objectOf('Service', name), 'selector'), name)
    const ports = at(deployment, 'spec', 'template', 'spec', 'containers', 0, 'ports')
    const target = at(objectOf('Service', name), 'spec', 'ports', 0, 'targetPort')
    t.ok(Array.isArray(ports) && ports.some((port) => at(port, 'name') === target), `the port ${target}`)
  }
  t.equal(at(objectOf('Deployment', 'gatewright'), 'spec', 'replicas'), 2)
  t.equal(at(objectOf('PodDisruptionBudget', 'gatewright'), 'spec', 'selector', 'matchLabels', NAME), 'gatewright')
  const scaler = objectOf('HorizontalPodAutoscaler', 'gatewright')
  t.equal(at(scaler, 'spec', 'scaleTargetRef', 'name'), 'gatewright')
  const policy = objectOf('NetworkPolicy', 'gatewright-redis')
  t.equal(at(policy, 'spec', 'podSelector', 'matchLabels', NAME), 'gatewright-redis')
  t.equal(at(policy, 'spec', 'ingress', 0, 'from', 0, 'podSelector', 'matchLabels', NAME), 'gatewright')
})

t.test('a pod accepts its configuration, and has the metric by which the autoscaler counts', async (t) => {
  const server = await StagedServer.make(t)
  const parts = [CONTAINER, join(FOLDER, 'shared-cache/shared-cache.conf'), join(FOLDER, 'site.conf')]
  const text = parts.map((file) => readFileSync(file, 'utf8')).join('\n')
  const adapted = text
    .replaceAll(/modules\/(mod_\w+)\.mjs/g, (_, name: string) => join(MODULES, `${name}.mjs`))
    .replace('Define SRVROOT "/opt/gatewright"', `Define SRVROOT "${server.root}"`)
    .replace('Listen 8080', `Listen 127.0.0.1:${server.port}`)
    .replace('Listen 8081\n', '')
    .replace('<VirtualHost *:8081>', `<VirtualHost *:${server.port}>`)
    .replace('TypesConfig conf/mime.types', 'TypesConfig /dev/null')
    .replace(/^ErrorLog .*$/m, 'ErrorLog logs/error_log')
    .replaceAll(/^( *CustomLog) \/dev\/stdout/gm, '$1 logs/access_log')
  const user = process.geteuid?.() === 0 ? 'User nobody\nGroup nogroup\n' : ''
  server.file('conf/httpd.conf', `${user}${adapted}`)
  const { stdout, stderr } = await server.run('-t')
  t.match([...stdout, ...stderr].join('\n'), /Syntax OK/)
  await server.start()
  const { status, body } = await server.get('/server-status?metrics')
  t.equal(status, 200)
  const scaler = objectOf('HorizontalPodAutoscaler', 'gatewright')
  const metric = String(at(scaler, 'spec', 'metrics', 0, 'pods', 'metric', 'name'))
  const page = readFileSync(join(import.meta.dirname, '../docs/operating/kubernetes.md'), 'utf8')
  t.ok(page.includes(`as: ${metric} `), 'the rule of the adapter makes it')
  const series = /seriesQuery: (\w+)/.exec(page)?.[1] ?? ''
  t.match(body, new RegExp(`^${series}[ {]`, 'm'))
})
