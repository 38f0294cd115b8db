/**
 * The second part of the runner, in Python: a process that runs applications, on as many threads as its group has. Its main
 * thread listens to the master and to signals, and watches the time limits.
 */
export const PROCESS_SOURCE: string = String.raw`
class Process:
    def __init__(self, config, control):
        self.config, self.control = config, control
        self.group, self.application = config['name'], config['application']
        self.listener = socket.socket(fileno=4)
        self.listener.setblocking(False)
        self.lock, self.control_lock = threading.RLock(), threading.Lock()
        self.active, self.modules, self.loading = {}, {}, None
        self.load_lock = threading.RLock()
        self.total, self.restarts = 0, 0
        self.retiring, self.deadline, self.signalled = False, None, None
        self.wake, self.wake_end = os.pipe()
        self.unread, self.local = b'', threading.local()
        self.idle_since = time.monotonic()

    def log(self, level, text):
        self.report({'log': [level, text]})

    def report(self, message):
        data = json.dumps(message).encode('ascii') + b'\n'
        with self.control_lock:
            try:
                self.control.sendall(data)
            except OSError:
                pass

    def label(self):
        return "mod_wsgi (pid=%d, process='%s', application='%s')" % (os.getpid(), self.group, self.application)

    def run(self):
        prepare_interpreter(self)
        signals, signals_end = os.pipe()
        os.set_blocking(signals, False)
        os.set_blocking(signals_end, False)
        signal.set_wakeup_fd(signals_end, warn_on_full_buffer=False)
        register = signal.signal
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGXCPU):
            register(name, lambda number, _: self.take_signal(number))
        register(signal.SIGPIPE, signal.SIG_IGN)
        if self.config['restrict-signal']:
            signal.signal = lambda number, handler: self.ignore_signal(register, number)
        loaded = threading.Event()
        threading.Thread(target=self.watch_start, args=(loaded,), daemon=True).start()
        for script in self.config['scripts']:
            self.preload(script)
        loaded.set()
        threads = [threading.Thread(target=self.serve, args=(number + 1,), daemon=True, name='wsgi-%d' % (number + 1))
                   for number in range(self.config['threads'])]
        for thread in threads:
            thread.start()
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(signals, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll(200 if self.retiring else 1000):
                if descriptor == signals:
                    os.read(signals, 4096)
                else:
                    self.read_control()
            if self.signalled is not None:
                number, self.signalled = self.signalled, None
                if number == signal.SIGUSR1:
                    self.retire('Process eviction requested, waiting for requests to complete', 'graceful-timeout')
                else:
                    self.retire('Shutdown requested', 'shutdown-timeout')
            self.watch()
            if self.retiring:
                with self.lock:
                    is_over = not self.active
                if is_over or time.monotonic() > self.deadline:
                    return self.leave(is_over)

    def watch_start(self, loaded):
        # Scripts that start with the process are loaded by the thread that watches the time limits otherwise.
        while not loaded.wait(0.2):
            self.watch()
            if self.retiring and time.monotonic() > self.deadline:
                self.leave(False)

    def leave(self, is_over):
        if not is_over:
            self.log('info', "mod_wsgi (pid=%d): Aborting process '%s'." % (os.getpid(), self.group))
        else:
            # As in httpd, functions of atexit run at an orderly end; one that hangs does not hold it.
            timer = threading.Timer(max(1, self.config['shutdown-timeout']), lambda: os._exit(0))
            timer.daemon = True
            timer.start()
            try:
                atexit._run_exitfuncs()
            except BaseException:
                pass
        self.log('info', "mod_wsgi (pid=%d): Exiting process '%s'." % (os.getpid(), self.group))
        os._exit(0)

    def take_signal(self, number):
        self.signalled = number

    def ignore_signal(self, register, number):
        if threading.current_thread() is threading.main_thread() and self.local_request() is None:
            return signal.getsignal(number)
        self.log('warn', 'mod_wsgi (pid=%d): Callback registration for signal %d ignored.' % (os.getpid(), number))
        for line in ''.join(traceback.format_list(own_frames_removed(traceback.extract_stack()))).splitlines():
            self.log('warn', line)
        return signal.getsignal(number)

    def read_control(self):
        try:
            data = self.control.recv(65536)
        except OSError:
            data = b''
        if not data:
            # Without the master, nobody would end this process.
            os._exit(0)
        *lines, self.unread = (self.unread + data).split(b'\n')
        for line in lines:
            if b'"ping"' in line:
                self.report({'pong': True})

    def retire(self, reason, limit):
        """Takes no more requests, and ends when those that run are complete, or late."""
        with self.lock:
            deadline = time.monotonic() + (self.config[limit] if self.config[limit] > 0 else 5)
            if self.retiring:
                self.deadline = min(self.deadline, deadline)
                return
            self.retiring, self.deadline = True, deadline
        os.write(self.wake_end, b'x')
        self.log('info', "mod_wsgi (pid=%d): %s '%s'." % (os.getpid(), reason, self.group))
        self.report({'retiring': True})

    def watch(self):
        now, config = time.monotonic(), self.config
        with self.lock:
            running = list(self.active.values())
            loading, idle_since = self.loading, self.idle_since
        if self.retiring:
            return
        if config['request-timeout'] > 0 and running:
            # As in mod_wsgi: a process with several threads may have some requests that hang.
            if sum(now - request.began for request in running) / config['threads'] > config['request-timeout']:
                self.show_stacks(running)
                return self.retire('Daemon process request time limit exceeded, stopping process', 'shutdown-timeout')
        if config['startup-timeout'] > 0 and loading is not None and now - loading > config['startup-timeout']:
            self.show_stacks(running)
            return self.retire('Application startup timer expired, stopping process', 'shutdown-timeout')
        if config['inactivity-timeout'] > 0 and self.total > 0:
            last = max([request.moved for request in running], default=idle_since)
            if now - last > config['inactivity-timeout']:
                self.retire('Daemon process inactivity timer expired, stopping process', 'shutdown-timeout')

    def show_stacks(self, running):
        frames = sys._current_frames()
        self.log('info', 'mod_wsgi (pid=%d): Dumping stack trace for active Python threads.' % os.getpid())
        for request in running:
            frame = frames.get(request.thread)
            if frame is None:
                continue
            self.log('info', 'mod_wsgi (pid=%d): Thread %d executing file' % (os.getpid(), request.thread))
            for line in ''.join(traceback.format_list(own_frames_removed(traceback.extract_stack(frame)))).splitlines():
                self.log('info', line)

    def local_request(self):
        return getattr(self.local, 'request', None)

    def serve(self, number):
        poll = select.poll()
        poll.register(self.listener, select.POLLIN)
        poll.register(self.wake, select.POLLIN)
        served = 0
        while not self.retiring:
            poll.poll()
            if self.retiring:
                return
            try:
                connection, _ = self.listener.accept()
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                    time.sleep(0.1)
                continue
            connection.setblocking(True)
            request = Request(self, connection, number, served)
            with self.lock:
                self.active[number] = request
            try:
                served += request.handle()
            except BaseException as error:
                self.log('error', 'mod_wsgi (pid=%d): %s: %s' % (os.getpid(), type(error).__name__, error))
            finally:
                self.local.request = None
                connection.close()
                with self.lock:
                    del self.active[number]
                    self.idle_since = time.monotonic()

    def count(self):
        with self.lock:
            self.total += 1
            limit = self.config['maximum-requests']
            is_last = limit > 0 and self.total >= limit and not self.retiring
            total = self.total - 1
        if is_last:
            self.retire('Maximum requests reached, attempt a graceful shutdown of daemon process', 'graceful-timeout')
        return total

    def preload(self, script):
        try:
            self.module_of(script, True, None)
        except BaseException as error:
            self.log('error', "%s: Target WSGI script '%s' cannot be loaded as Python module." % (self.label(), script))
            for line in lines_of(error):
                self.log('error', line)

    def is_stale(self, script):
        with self.lock:
            module = self.modules.get(script)
        return module is not None and modified(script) != module.__mtime__

    def module_of(self, script, reloads, request):
        """The module of a script, which one thread loads. In the embedded group, a changed script is loaded again."""
        log = request.log if request is not None else self.log
        # The thread that watches the time limits must not wait for it.
        with self.load_lock:
            module = self.modules.get(script)
            if module is not None and not (reloads and self.group == '' and modified(script) != module.__mtime__):
                return module
            log('info', "%s: %s Python script file '%s'." % (self.label(), 'Loading' if module is None else 'Reloading', script))
            self.loading = time.monotonic()
            name = '_mod_wsgi_' + hashlib.md5(script.encode('utf-8', 'surrogateescape')).hexdigest()
            try:
                module = types.ModuleType(name)
                module.__file__, module.__mtime__ = script, modified(script)
                try:
                    with open(script, 'rb') as file:
                        code = compile(file.read(), script, 'exec', dont_inherit=True)
                except (OSError, SyntaxError, ValueError):
                    log('error', "%s: Could not read/compile source file '%s'." % (self.label(), script))
                    raise
                sys.modules[name] = module
                try:
                    exec(code, module.__dict__)
                except BaseException:
                    sys.modules.pop(name, None)
                    log('error', "mod_wsgi (pid=%d): Failed to exec Python script file '%s'." % (os.getpid(), script))
                    raise
                self.modules[script] = module
                return module
            finally:
                self.loading = None

def modified(script):
    try:
        return os.stat(script).st_mtime_ns
    except OSError:
        return None

OWN_FILE = os.path.abspath(__file__)

def own_frames_removed(stack):
    return [frame for frame in stack if frame.filename not in (OWN_FILE, __file__) and not frame.filename.endswith('/threading.py')]

def lines_of(error):
    """The lines of a traceback, without what the runner does."""
    found = traceback.TracebackException.from_exception(error)
    seen, waiting = set(), [found]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        frames = own_frames_removed(one.stack or [])
        one.stack = traceback.StackSummary.from_list(frames) if frames else None
        waiting += [one.__cause__, one.__context__]
    return ''.join(found.format()).splitlines()

class Stream:
    """sys.stdout and sys.stderr: what a request writes goes to its own log, anything else to that of the process."""
    encoding, errors, newlines, closed, mode = 'utf-8', 'backslashreplace', None, False, 'w'
    def __init__(self, process, name, descriptor):
        self.process, self.name, self.descriptor, self.others = process, name, descriptor, LineLog(lambda line: process.log('error', line))
    def _log(self):
        request = self.process.local_request()
        return self.others if request is None else request.errors
    def write(self, text):
        return self._log().write(text)
    def writelines(self, lines):
        for line in lines:
            self.write(line)
    def flush(self):
        self._log().flush()
    def fileno(self):
        return self.descriptor
    def isatty(self):
        return False
    def readable(self):
        return False
    def writable(self):
        return True
    def seekable(self):
        return False
    def close(self):
        pass

def prepare_interpreter(process):
    config = process.config
    sys.argv = ['mod_wsgi']
    # The folder of the runner is not one of the application's.
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != os.path.dirname(OWN_FILE)]
    os.set_inheritable(3, False)
    os.set_inheritable(4, False)
    sys.stdout, sys.stderr = Stream(process, '<stdout>', 1), Stream(process, '<stderr>', 2)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
    if config['lang'] or config['locale']:
        try:
            locale.setlocale(locale.LC_ALL, config['locale'] or '')
        except locale.Error:
            process.log('warn', "mod_wsgi (pid=%d): Unable to set locale '%s'." % (os.getpid(), config['locale'] or config['lang']))
    former = list(sys.path)
    for path in config['python-path']:
        site.addsitedir(path)
    added = [path for path in sys.path if path not in former]
    sys.path[:] = added + former
    module = types.ModuleType('mod_wsgi')
    module.version, module.process_group, module.application_group = (4, 9, 4), process.group, process.application
    module.maximum_processes, module.threads_per_process = config['processes'], config['threads']
    sys.modules['mod_wsgi'] = module
    main = types.ModuleType('__main__')
    main.__builtins__ = __builtins__
    sys.modules['__main__'] = main
    try:
        import ctypes
        library = ctypes.CDLL(None)
        library.prctl(1, signal.SIGKILL, 0, 0, 0)
        if os.getppid() == 1 and config['master'] != 1:
            os._exit(0)
        if config['display-name']:
            show_name(ctypes, config['display-name'])
    except (ImportError, OSError, AttributeError, ValueError):
        pass

def show_name(ctypes, name):
    """Writes a name over the arguments of this process, where ps finds it."""
    with open('/proc/self/stat', 'rb') as file:
        fields = file.read().rpartition(b')')[2].split()
    start, end = int(fields[45]), int(fields[46])
    text = name.encode('utf-8', 'surrogateescape')[:end - start - 1]
    ctypes.memmove(start, text + b'\0' * (end - start - len(text)), end - start)

def run_process():
    control = socket.socket(fileno=3)
    unread = b''
    while b'\n' not in unread:
        data = control.recv(65536)
        if not data:
            os._exit(0)
        unread += data
    line, _, unread = unread.partition(b'\n')
    process = Process(json.loads(line.decode('ascii'))['config'], control)
    process.unread = unread
    process.run()
`
