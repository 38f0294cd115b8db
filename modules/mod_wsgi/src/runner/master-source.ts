/**
 * The first part of the runner, in Python: the master. It owns the listening sockets of all pools, one pool for each pair of
 * process group and application group, starts the processes of a pool, replaces those that end, and stops with the workers of
 * the server. It never runs code of an application, because it may have the privileges of root.
 */
export const MASTER_SOURCE: string = String.raw`# The runner of mod_wsgi. "master": supervises; "process": runs applications.
import errno, json, os, resource, select, selectors, shutil, signal, socket, stat, struct, sys, time

LONGEST_LINE = 1 << 20
# Bytes of messages that wait for a worker or a process that does not read.
MOST_UNSENT = 1 << 20
MOST_POOLS = 200
# How long the master waits for another worker after the last one has died, in seconds.
ALONE = 75

class Peer:
    """Lines of JSON on a stream that is never waited for."""
    def __init__(self, sock, selector, on_message, on_end):
        self.sock, self.selector = sock, selector
        self.on_message, self.on_end = on_message, on_end
        self.unread, self.unsent, self.closed = b'', b'', False
        sock.setblocking(False)
        selector.register(sock, selectors.EVENT_READ, self)

    def send(self, message):
        if self.closed or len(self.unsent) > MOST_UNSENT:
            return
        self.unsent += json.dumps(message).encode('ascii') + b'\n'
        self.flush()

    def flush(self):
        try:
            while self.unsent:
                self.unsent = self.unsent[self.sock.send(self.unsent):]
        except BlockingIOError:
            pass
        except OSError:
            return self.close()
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self.unsent else 0)
        self.selector.modify(self.sock, wanted, self)

    def ready(self, events):
        if events & selectors.EVENT_WRITE:
            self.flush()
        if self.closed or not events & selectors.EVENT_READ:
            return
        try:
            data = self.sock.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b''
        if not data or len(self.unread) > LONGEST_LINE:
            return self.close()
        *lines, self.unread = (self.unread + data).split(b'\n')
        for line in lines:
            try:
                message = json.loads(line.decode('ascii'))
            except ValueError:
                continue
            self.on_message(self, message)

    def close(self):
        if self.closed:
            return
        self.closed = True
        self.selector.unregister(self.sock)
        self.sock.close()
        self.on_end(self)

class ErrorLines:
    """What processes write to their standard error past Python."""
    def __init__(self, descriptor, master):
        self.descriptor, self.master, self.unread = descriptor, master, b''
        os.set_blocking(descriptor, False)

    def ready(self, events):
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:
            return
        *lines, self.unread = (self.unread + data).split(b'\n')
        if len(self.unread) > 8192:
            lines.append(self.unread)
            self.unread = b''
        for line in lines:
            self.master.log('error', line.decode('utf-8', 'backslashreplace'))

class Pool:
    def __init__(self, group, application, path, listener):
        self.group, self.application, self.path, self.listener = group, application, path, listener
        self.scripts, self.quick_ends = [], 0

class Child:
    def __init__(self, pool, pid):
        self.pool, self.pid, self.peer = pool, pid, None
        self.started, self.heard = time.monotonic(), time.monotonic()
        self.retiring, self.pinged = False, False

class Master:
    def __init__(self, config):
        self.config = config
        self.groups = {group['name']: group for group in config['groups']}
        self.folder = config['folder']
        self.selector = selectors.DefaultSelector()
        self.pools, self.children, self.workers, self.timers = {}, {}, [], []
        self.stopping, self.served, self.started = False, False, time.monotonic()
        self.alone_since = time.monotonic()

    def run(self):
        wake, wake_end = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(wake_end, False)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self.stop())
        for name in ('SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGPIPE'):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        self.selector.register(wake, selectors.EVENT_READ, None)
        control = self.listen('control', 64)
        self.selector.register(control, selectors.EVENT_READ, control)
        starter = Peer(socket.socket(fileno=3), self.selector, self.received, self.left)
        self.workers.append(starter)
        # From here on, what processes write to descriptor 2 goes to the error log of the server.
        errors, errors_end = os.pipe()
        os.dup2(errors_end, 2, inheritable=True)
        os.close(errors_end)
        self.selector.register(errors, selectors.EVENT_READ, ErrorLines(errors, self))
        for group in self.config['groups']:
            for application in group['applications']:
                self.open(group, application)
        starter.send({'ready': True})
        while True:
            for key, events in self.selector.select(self.until_next()):
                if key.data is None:
                    try:
                        os.read(wake, 4096)
                    except OSError:
                        pass
                elif key.data is control:
                    self.accept(control)
                else:
                    key.data.ready(events)
            self.reap()
            self.run_timers()
            self.watch()
            if self.stopping and not self.children:
                return

    def listen(self, name, backlog):
        path = os.path.join(self.folder, name)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.setblocking(False)
        former = os.umask(0o177)
        try:
            listener.bind(path)
        finally:
            os.umask(former)
        if self.config['uid'] is not None:
            os.chown(path, self.config['uid'], self.config['gid'])
        listener.listen(backlog)
        return listener

    def accept(self, control):
        try:
            sock, _ = control.accept()
        except OSError:
            return
        self.workers.append(Peer(sock, self.selector, self.received, self.left))

    def received(self, peer, message):
        if 'open' in message:
            name, application = native(message['open'])
            answer = {'id': message['id']}
            try:
                answer['path'] = self.open(self.groups[name], application).path
            except (KeyError, OSError, RuntimeError) as error:
                answer['error'] = str(error)
            peer.send(answer)
        elif 'serving' in message:
            self.served = True
        elif 'leaving' in message:
            peer.leaving = True

    def left(self, peer):
        if peer not in self.workers:
            return
        self.workers.remove(peer)
        if self.workers:
            return
        self.alone_since = time.monotonic()
        # A start that failed, or the last worker of a configuration: no other one follows.
        if not self.served or getattr(peer, 'leaving', False) or not self.supervised():
            self.stop()

    def supervised(self):
        try:
            os.kill(self.config['supervisor'], 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass
        return True

    def watch(self):
        now = time.monotonic()
        if not self.workers and not self.stopping and (now - self.alone_since > ALONE or not self.supervised()):
            self.stop()
        for child in list(self.children.values()):
            limit = child.pool.group['deadlock-timeout']
            if limit <= 0 or child.peer is None:
                continue
            if now - child.heard > limit:
                self.log('info', "mod_wsgi (pid=%d): Daemon process deadlock timer expired, stopping process '%s'."
                         % (child.pid, child.pool.group['name']))
                self.kill(child, signal.SIGKILL)
                child.heard = now
            elif now - child.heard > min(limit, 60) / 2 and not child.pinged:
                child.pinged = True
                child.peer.send({'ping': True})

    def until_next(self):
        if not self.timers:
            return 1
        return max(0, min(1, min(when for when, _ in self.timers) - time.monotonic()))

    def after(self, seconds, action):
        self.timers.append((time.monotonic() + seconds, action))

    def run_timers(self):
        now = time.monotonic()
        due = [timer for timer in self.timers if timer[0] <= now]
        self.timers = [timer for timer in self.timers if timer[0] > now]
        for _, action in due:
            action()

    def log(self, level, text):
        # Without a worker, nobody has the error log.
        for worker in self.workers[:1]:
            worker.send({'log': [level, text]})

    def open(self, group, application):
        key = (group['name'], application)
        pool = self.pools.get(key)
        if pool is not None:
            return pool
        if self.stopping:
            raise RuntimeError('the server stops')
        if len(self.pools) >= MOST_POOLS:
            raise RuntimeError('there are %d application groups' % MOST_POOLS)
        name = str(len(self.pools))
        pool = Pool(group, application, os.path.join(self.folder, name), self.listen(name, group['listen-backlog']))
        pool.scripts = [script for one, script in group['imports'] if one == application]
        self.pools[key] = pool
        for _ in range(group['processes']):
            self.start(pool)
        return pool

    def start(self, pool):
        if self.stopping:
            return
        ours, theirs = socket.socketpair()
        try:
            pid = os.fork()
        except OSError as error:
            ours.close()
            theirs.close()
            self.log('alert', 'mod_wsgi: Unable to start a daemon process: %s' % error)
            return self.after(10, lambda: self.start(pool))
        if pid == 0:
            become_process(pool, theirs, self.folder)
        theirs.close()
        child = Child(pool, pid)
        self.children[pid] = child
        child.peer = Peer(ours, self.selector, lambda _, message: self.heard(child, message), lambda _: self.silent(child))
        child.peer.send({'config': dict(pool.group, application=pool.application, scripts=pool.scripts, master=os.getpid())})

    def heard(self, child, message):
        child.heard, child.pinged = time.monotonic(), False
        if 'log' in message:
            self.log(*message['log'][:2])
        elif 'retiring' in message and not child.retiring:
            child.retiring = True
            self.start(child.pool)

    def silent(self, child):
        child.peer = None

    def kill(self, child, name):
        try:
            os.kill(child.pid, name)
        except OSError:
            pass

    def reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            child = self.children.pop(pid, None)
            if child is None:
                continue
            if child.peer is not None:
                child.peer.ready(selectors.EVENT_READ)
            if child.peer is not None:
                child.peer.close()
            self.ended(child, status)

    def ended(self, child, status):
        pool, name = child.pool, child.pool.group['name']
        if self.stopping:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except OSError:
                pass
            return
        if child.retiring:
            return
        self.log('info', "mod_wsgi (pid=%d): Process '%s' has died, deregister and restart it." % (child.pid, name))
        if os.WIFSIGNALED(status):
            self.log('info', "mod_wsgi (pid=%d): Process '%s' terminated by signal %d" % (child.pid, name, os.WTERMSIG(status)))
        elif os.WEXITSTATUS(status) == FAILED:
            self.log('error', "mod_wsgi (pid=%d): Process '%s' could not start: see the lines before." % (child.pid, name))
        quick = time.monotonic() - child.started < 2
        pool.quick_ends = pool.quick_ends + 1 if quick else 0
        if pool.quick_ends < 5:
            self.start(pool)
        else:
            self.after(min(10, 0.1 * 2 ** (pool.quick_ends - 4)), lambda: self.start(pool))

    def stop(self):
        if self.stopping:
            return
        self.stopping = True
        patience = 0
        for pool in self.pools.values():
            pool.listener.close()
        for child in self.children.values():
            self.kill(child, signal.SIGTERM)
            patience = max(patience, child.pool.group['shutdown-timeout'])
        self.after(patience + 1, self.kill_all)

    def kill_all(self):
        for child in self.children.values():
            self.kill(child, signal.SIGKILL)

# The status of a process that could not become what its options say.
FAILED = 78

def become_process(pool, control, folder):
    """The child after the fork: takes limits, folder and identity of its group, and becomes a new Python."""
    try:
        for name in ('SIGCHLD', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1'):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.setpgid(0, 0)
        control, listener = control.detach(), pool.listener.detach()
        high = [os.dup2(descriptor, 100 + index, inheritable=False) for index, descriptor in enumerate((control, listener))]
        os.dup2(high[0], 3, inheritable=True)
        os.dup2(high[1], 4, inheritable=True)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0, inheritable=True)
        os.dup2(2, 1, inheritable=True)
        os.closerange(5, 65536 if high[1] < 65536 else high[1] + 1)
        group = pool.group
        for name, limit in (('cpu-time-limit', resource.RLIMIT_CPU), ('memory-limit', resource.RLIMIT_DATA),
                            ('virtual-memory-limit', resource.RLIMIT_AS)):
            if group[name] > 0:
                resource.setrlimit(limit, (group[name], group[name] + 10 if limit == resource.RLIMIT_CPU else group[name]))
        if group['cpu-priority'] != 0:
            os.setpriority(os.PRIO_PROCESS, 0, group['cpu-priority'])
        environment = dict(os.environ)
        take_identity(group)
        if group['umask'] is not None:
            os.umask(group['umask'])
        if group['home'] is not None:
            os.chdir(group['home'])
        environment.update(group['environment'])
        # The blanks are the room for display-name.
        arguments = [group['python'], *group['flags'], os.path.join(folder, 'runner.py'), 'process', ' ' * 64]
        os.execve(group['python'], arguments, environment)
    except BaseException as error:
        text = "mod_wsgi (pid=%d): Couldn't start process '%s': %s: %s\n" % (os.getpid(), pool.group['name'], type(error).__name__, error)
        try:
            os.write(2, text.encode('utf-8', 'backslashreplace'))
        finally:
            os._exit(FAILED)

def native(value):
    """Texts of the configuration have one character for each byte; the system's have those of its encoding."""
    if isinstance(value, str):
        return os.fsdecode(value.encode('latin-1'))
    if isinstance(value, list):
        return [native(item) for item in value]
    if isinstance(value, dict):
        return {native(key): native(item) for key, item in value.items()}
    return value

def run_master():
    os.umask(0o022)
    # Nothing of the server but the connection to its worker.
    os.closerange(4, 65536)
    with open(sys.argv[2], encoding='utf-8') as file:
        config = native(json.load(file))
    try:
        config['uid'], config['gid'] = owner_of(config)
        for group in config['groups']:
            identity_of(group)
    except BadIdentity as error:
        sys.exit(str(error))
    try:
        Master(config).run()
    finally:
        shutil.rmtree(config['folder'], ignore_errors=True)
`
