import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** One Elasticsearch node for tests: {@code SingleNode HOME DATA PORT} serves HTTP at 127.0.0.1 until the process ends. */
public final class SingleNode {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Settings settings = Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", arguments[1])
            .put("path.logs", arguments[1] + "/logs")
            .put("cluster.name", "citewell-tests")
            .put("node.name", "test")
            .put("node.processors", 1)
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[2])
            .put("transport.port", "0")
            // A full disk of the test machine must not make indexes read-only.
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        LogConfigurator.loadLog4jPlugins();
        LogConfigurator.configureESLogging();
        LogConfigurator.configureWithoutConfig(settings);
        Environment environment = new Environment(settings, home.resolve("config"));
        // The server runs from the class path here, so it has no module whose packages could be exported.
        boolean exportPackages = false;
        PluginsLoader plugins = PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(environment.modulesDir()), Set.of(), Map.of(), exportPackages);
        Node node = new Node(environment, plugins);
        node.start();
        Thread.currentThread().join();
    }
}
