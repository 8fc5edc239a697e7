public import RhumbCore
public import RhumbEngine

/// Layers drawn in a style.
public struct StyledLayers: Sendable {
    /// The files and addresses of the styles.
    public let style: StyleChoice
    /// The theme of the layers.
    public let theme: MapTheme
    /// The layers that changed, by their previous ids.
    public let layers: [TileLayer.ID: TileLayer]
    /// The style's own layer sets, also for maps that it doesn't draw; nil if it has none.
    public let sets: LayerSetStyle?

    /// Creates the result of a change of style.
    /// - Parameters:
    ///   - style: The styles, by their files and addresses.
    ///   - layers: The layers that changed, by their previous ids.
    ///   - sets: The own layer sets of the style; nil if it has none.
    public init(
        _ style: StyleChoice, _ theme: MapTheme, _ layers: [TileLayer.ID: TileLayer],
        sets: LayerSetStyle? = nil
    ) {
        self.style = style
        self.theme = theme
        self.layers = layers
        self.sets = sets
    }
}

extension Browser {
    /// Requests other styles.
    mutating func setStyle(_ choice: StyleChoice) -> [Effect] {
        appearance.wantedStyle = choice
        return [.style(choice, theme)]
    }

    mutating func receive(_ outcome: Result<StyledLayers, Notice.Problem>) -> [Effect] {
        let wanted = appearance.wantedStyle.take(), remark = appearance.styleRemark.take()
        switch outcome {
        case .failure(let problem): return complain(problem.description)
        case .success(let styled):
            map.layers =
                map.layers.map { old in styled.layers[old.id].map { $0.shown(like: old) } ?? old }.stacked
            appearance.style = styled.style
            appearance.chosenSets = styled.sets
            guard wanted != nil || !styled.layers.isEmpty else { return [] }
            let isLate = styled.theme != theme
            let words =
                wanted == nil
                ? []
                : remark.map { complain($0) } ?? say("Style: \(SafeText.sanitised(appearance.style.words))")
            return [.updateView] + (isLate ? [.style(appearance.style, theme)] : []) + words + viewMoved()
        }
    }
}

extension TileLayer {
    /// Returns the layer with the user's choices for another.
    fileprivate func shown(like other: TileLayer) -> TileLayer {
        var layer = self
        layer.role = other.role
        layer.zIndex = other.zIndex
        layer.isTransparent = other.isTransparent
        layer.isVisible = other.isVisible
        layer.opacity = other.opacity
        layer.detail = other.detail
        layer.adjustment = other.adjustment
        return layer
    }
}
